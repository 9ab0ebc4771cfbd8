import type { Reason } from "../contract/error-reasons.ts";
import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import { fileErrorCode } from "../files/file-error.ts";
import { countOf } from "../text/number.ts";
import { quoted } from "../text/quoted.ts";
import { withFullStop } from "../text/reasons.ts";
import type { EvaluationSummary } from "../scoring/summary.ts";

/** Why an evaluation is not complete. */
export interface Stop {
  /** How it ends. */
  readonly status: "cancelled" | "failed" | "incomplete" | "over-budget" | "overdue";
  /** A sentence. */
  readonly why: string;
  /** What may be done about it differs by them. */
  readonly reasons?: readonly Reason[];
}

/** Why results are not complete of which a scorer failed; undefined where none did. */
export function brokenScorer(scores: EvaluationSummary["scores"]): Stop | undefined {
  const broken = scores.find((score) => score.broken > 0);
  if (!broken) return undefined;
  const why = `The scorer ${quoted(broken.key)} failed on ${countOf(broken.broken, "trial")}: ${broken.reason}`;
  return { status: "incomplete", why: withFullStop(why), reasons: ["SCORER_BROKEN"] };
}

const CODES = {
  incomplete: "EVALUATION_INCOMPLETE",
  "over-budget": "EVALUATION_OVER_BUDGET",
  overdue: "EVALUATION_OVERDUE",
  cancelled: "EVALUATION_CANCELLED",
  failed: "EVALUATION_UNREACHABLE",
} as const satisfies Record<Stop["status"], EvaluationError["code"]>;

/** An evaluation that did not measure all that it should. */
export class EvaluationError extends GraphDeployError {
  readonly code:
    | "EVALUATION_CANCELLED"
    | "EVALUATION_INCOMPLETE"
    | "EVALUATION_OVERDUE"
    | "EVALUATION_OVER_BUDGET"
    | "EVALUATION_UNREACHABLE";
  readonly status: keyof typeof CODES;

  constructor({ status, why, reasons }: Stop) {
    super(why, { reasons });
    this.code = CODES[status];
    this.status = status;
  }
}

/** Another revision serves than the one to evaluate. */
export class RevisionMismatchError extends GraphDeployError {
  readonly code = "EVALUATION_REVISION";
  readonly wanted: string;
  readonly served: string;

  constructor(wanted: string, served: string) {
    super(`The agent server serves the revision ${quoted(served)}, not ${quoted(wanted)}: nothing was asked.`);
    this.wanted = wanted;
    this.served = served;
  }
}

/** What an evaluation needs to go on after its process was killed cannot be kept. */
export class JournalError extends GraphDeployError {
  readonly code = "EVALUATION_JOURNAL";
  readonly path: string;

  constructor(path: string, cause: unknown) {
    const code = fileErrorCode(cause) ?? "";
    const failed = code === "ENOSPC" ? "the disk is full" : "reading or writing it failed";
    const why = code === "" ? "a line of it is gone, as if another evaluation wrote it, too" : `${failed} (${code})`;
    super(`The journal ${path} cannot be kept: ${why}.`, { cause });
    this.path = path;
  }
}
