/** Something that a user should check. It is among the events of every door. */
export interface WarningEvent {
  readonly type: "warning";
  readonly message: string;
}

/** Somebody who listens to what a step does. */
export interface Reporter<Event> {
  /** What it writes, for a sentence: `log`, `job summary`. */
  readonly name: string;
  report(event: Event | WarningEvent): void;
}

/**
 * Hands each event to every reporter, in order. A reporter that throws is told to the others as a warning, once, and
 * goes on getting events: what reports on the work never fails it. `work` is a word for it, such as `deploy`.
 */
export function fanOut<Event>(
  reporters: readonly Reporter<Event>[],
  work: string,
): (event: Event | WarningEvent) => void {
  const faulty = new Set<Reporter<Event>>();
  const hand = (event: Event | WarningEvent, to: readonly Reporter<Event>[]): void => {
    for (const reporter of to) {
      try {
        reporter.report(event);
      } catch (error) {
        if (faulty.has(reporter)) continue;
        faulty.add(reporter);
        const others = to.filter((other) => other !== reporter);
        const why = error instanceof Error ? error.message : "of an unknown fault";
        hand({ type: "warning", message: `The ${reporter.name} is incomplete: ${why}. The ${work} goes on.` }, others);
      }
    }
  };
  return (event) => {
    hand(event, reporters);
  };
}
