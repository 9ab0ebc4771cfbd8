/** Something that a user should check. It is among the events of every door. */
export interface WarningEvent {
  readonly type: "warning";
  readonly message: string;
}

/** Listens to the events of a step. */
export interface Reporter<Event> {
  /** What it writes, for a sentence: `log`, `job summary`. */
  readonly name: string;
  report(event: Event | WarningEvent): void;
}

/**
 * Hands each event to every reporter, in order. The others get one warning about a reporter that throws, which
 * continues to get events: reporting never fails the work. `work` is a word for it, such as `deploy`.
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
        const why = error instanceof Error ? error.message : "unknown error";
        hand(
          { type: "warning", message: `The ${reporter.name} is incomplete: ${why}. The ${work} continues.` },
          others,
        );
      }
    }
  };
  return (event) => {
    hand(event, reporters);
  };
}
