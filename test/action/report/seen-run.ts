/** What a user sees of a run: the log with its annotations, and the job summary. */
export interface SeenRun {
  readonly title: string;
  readonly log: readonly string[];
  readonly summary: string;
}

/** Runs as a page for people to read, which prettier leaves as it is. */
export function pageOfRuns(heading: string, runs: readonly SeenRun[]): string {
  const parts = runs.flatMap(({ title, log, summary }) => [
    `## ${title}`,
    "The log:",
    fenced(log.join("\n")),
    "The job summary:",
    fenced(summary.trimEnd()),
  ]);
  return [`# ${heading}`, ...parts].join("\n\n") + "\n";
}

function fenced(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``;
}
