/** What became of one trial of a case that an agent was asked; stored as `run_metadata.outcome` of its row. */
export const TRIAL_OUTCOMES = [
  /** The run ended, and its state holds more than its input. */
  "answered",
  /** The agent failed: a measurement, too. */
  "agent-error",
  /** The agent asks a human. */
  "interrupted",
  /** The run ended with nothing beyond its input. */
  "empty",
  /** The run took longer than it may. */
  "timeout",
  "cancelled",
  /** The stream ended, and nothing shows how the run did. */
  "unverified",
  /** The agent server could not be reached, or refused to take the run now. */
  "unreachable",
  /** The evaluation ended before, or the agent server rejects what the run was sent. */
  "unasked",
] as const;

/** One of them. */
export type TrialOutcome = (typeof TRIAL_OUTCOMES)[number];

/** True for an outcome that says something of the agent: all others are no measurements, and have no scores. */
export function isMeasurement(outcome: string): boolean {
  return outcome === "answered" || outcome === "agent-error";
}
