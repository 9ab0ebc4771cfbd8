import type { EvaluationEvent } from "../../../src/evaluation/evaluation.ts";
import type { RetryNotice } from "../../../src/http/retry.ts";
import type { WarningEvent } from "../../account/reporters.ts";

export type EvaluateEvent =
  | EvaluationEvent
  | WarningEvent
  | { readonly type: "retry"; readonly notice: RetryNotice }
  /** So many runs are in the project of the trace. */
  | { readonly type: "traced"; readonly session: string; readonly runs: number };
