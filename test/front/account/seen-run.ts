import type { RunBrief } from "../../../front/account/brief.ts";

/** What a user sees of a run: the log with its annotations, the job summary, and the section of a comment. */
export interface SeenRun {
  readonly title: string;
  readonly log: readonly string[];
  readonly summary: string;
  readonly comment?: RunBrief;
}

/** Runs as a page for people to read, which prettier leaves as it is. */
export function pageOfRuns(heading: string, runs: readonly SeenRun[]): string {
  const parts = runs.flatMap(({ title, log, summary, comment }) => [
    `## ${title}`,
    "The log:",
    fenced(log.join("\n")),
    "The job summary:",
    fenced(summary.trimEnd()),
    ...(comment === undefined ? [] : ["The section of the comment:", fenced(sectionText(comment))]),
  ]);
  return [`# ${heading}`, ...parts].join("\n\n") + "\n";
}

function sectionText({ name, sign, state, page, text }: RunBrief): string {
  return [`${name}: ${sign}, ${state}${page === undefined ? "" : `, ${page}`}`, text].join("\n\n");
}

function fenced(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``;
}
