/** How a run of the built-in agent proceeds, if not as usual. */
export interface RunFate {
  /** Stays in this status until `faults.runs.release()`: `pending` before a worker takes it, or `running` after that. */
  readonly hold?: "pending" | "running";
  /** A first attempt fails: its stream has an event `error`, and the run goes on. */
  readonly recovers?: boolean;
  /** With a state of nothing, with a question to a human, or with an error of the server; as usual if absent. */
  readonly end?: "empty" | "error" | "interrupted";
  /** The connection of its stream breaks after the first state; the run goes on. */
  readonly cut?: boolean;
  /** Time before each event of its stream, milliseconds; 0 if absent. */
  readonly pauseMilliseconds?: number;
}
