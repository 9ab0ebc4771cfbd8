import { diagnostic } from "./diagnostic.ts";
import type { CheckRefusal, Diagnostic, RunResult, Step, StepOp } from "./stack.ts";

// Halves of a replacement and clean-ups: the engine counts the whole, not these.
const NOT_COUNTED: ReadonlySet<StepOp> = new Set([
  "create-replacement",
  "delete-replaced",
  "discard-replaced",
  "import-replacement",
  "read-replacement",
  "remove-pending-replace",
]);

/** A step that may still fail, or find something. */
export type OpenStep = { -readonly [Key in keyof Step]: Step[Key] };

/** Collects what happens in one run. */
export class RunReport {
  readonly #steps: OpenStep[] = [];
  readonly #diagnostics: Diagnostic[] = [];
  readonly #refusals: CheckRefusal[] = [];
  readonly #onLog: (line: Diagnostic) => void;

  constructor(onLog: (line: Diagnostic) => void = () => {}) {
    this.#onLog = onLog;
  }

  /** Says that a step has started. */
  step(op: StepOp, of: Pick<Step, "urn" | "type" | "name">): OpenStep {
    const step: OpenStep = { op, urn: of.urn, name: of.name, type: of.type, failed: false };
    this.#steps.push(step);
    return step;
  }

  log(line: Diagnostic): void {
    this.#diagnostics.push(line);
    this.#onLog(line);
  }

  error(message: string, urn = ""): void {
    this.log(diagnostic("error", message, { urn }));
  }

  warn(message: string, urn = ""): void {
    this.log(diagnostic("warning", message, { urn }));
  }

  refuse(refusal: CheckRefusal): void {
    this.#refusals.push(refusal);
  }

  /** True once the user was shown an error. */
  get hasError(): boolean {
    return this.#diagnostics.some(({ severity }) => severity === "error");
  }

  /** How often each operation happened so far. */
  changes(): Partial<Record<StepOp, number>> {
    const changes: Partial<Record<StepOp, number>> = {};
    for (const { op, found, failed } of this.#steps) {
      if (failed || NOT_COUNTED.has(op)) continue;
      const counted = found ?? op;
      changes[counted] = (changes[counted] ?? 0) + 1;
    }
    return changes;
  }

  result(ok: boolean, outputs: Readonly<Record<string, unknown>> = {}): RunResult {
    return {
      ok,
      steps: this.#steps,
      changes: this.changes(),
      diagnostics: this.#diagnostics,
      refusals: this.#refusals,
      outputs,
    };
  }
}
