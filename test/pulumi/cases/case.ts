import type { Setting, Stage } from "../stage.ts";

/** One line of the table. */
export interface Case {
  /** A sentence. */
  readonly name: string;
  readonly setting?: Setting;
  readonly run: (stage: Stage) => Promise<void>;
}
