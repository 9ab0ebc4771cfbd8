import type { DeployEvent, Emit } from "../../../src/deployment/events.ts";

/** Somebody who listens to a deploy. */
export interface Reporter {
  /** What it writes, for a sentence: `log`, `job summary`. */
  readonly name: string;
  report(event: DeployEvent): void;
}

/**
 * Hands each event to every reporter, in order. A reporter that throws is told to the others as a warning, once, and
 * goes on getting events: what reports on a deploy never fails it.
 */
export function fanOut(reporters: readonly Reporter[]): Emit {
  const faulty = new Set<Reporter>();
  const hand = (event: DeployEvent, to: readonly Reporter[]): void => {
    for (const reporter of to) {
      try {
        reporter.report(event);
      } catch (error) {
        if (faulty.has(reporter)) continue;
        faulty.add(reporter);
        const others = to.filter((other) => other !== reporter);
        hand({ type: "warning", message: sentence(reporter, error) }, others);
      }
    }
  };
  return (event) => {
    hand(event, reporters);
  };
}

function sentence({ name }: Reporter, error: unknown): string {
  const why = error instanceof Error ? error.message : "of an unknown fault";
  return `The ${name} is incomplete: ${why}. The deploy goes on.`;
}
