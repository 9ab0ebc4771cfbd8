/** What a section of a comment is about; its overview has them in this order. */
export const SECTION_KINDS = ["deployment", "evaluation", "experiment", "traces", "report"] as const;
export type SectionKind = (typeof SECTION_KINDS)[number];

/** How it went, at a glance. */
export const SIGNS = { good: "✅", warning: "⚠️", bad: "❌", gone: "🗑️", neutral: "ℹ️" } as const;
export type Sign = keyof typeof SIGNS;

/** What a comment shows of a run: the facts of the job summary, shorter. The text is markdown, the rest is foreign. */
export interface RunBrief {
  readonly name: string;
  readonly sign: Sign;
  /** In a word or two: `live`. */
  readonly state: string;
  /** An address of the web that says more. */
  readonly page?: string | undefined;
  readonly text: string;
}
