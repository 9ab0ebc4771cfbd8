import type { ExperimentEvent } from "../../../src/experiments/events.ts";
import type { Judgement } from "../../../src/judgement/judgement.ts";
import type { Written } from "./written-paths.ts";

/** What happens in a judgement, in order. Reporters listen. Texts are foreign. */
export type JudgeEvent =
  /** Of the results; of other runs only the progress and the warnings. */
  | Extract<ExperimentEvent, { readonly type: "file-read" | "read" | "reading" | "warning" }>
  | { readonly type: "judged"; readonly judgement: Judgement; readonly against: Against; readonly milliseconds: number }
  /** A file is there as a whole. */
  | { readonly type: "written"; readonly what: Written; readonly path: string; readonly bytes: number }
  | { readonly type: "ended"; readonly milliseconds: number; readonly error: Error | undefined };

/** What the results were compared with, as the step was asked to. */
export interface Against {
  /** The patterns of the input; empty where no baseline was asked for. */
  readonly patterns: readonly string[];
  /** How old the baseline is, milliseconds; undefined without one. */
  readonly age: number | undefined;
  readonly anchors: readonly string[];
}
