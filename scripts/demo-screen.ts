import type { ActionResult } from "../test/runner/runner.ts";
import { renderMarkdown } from "./terminal-markdown.ts";

/** Prints a line that begins a part of the demo. */
export function heading(text: string): void {
  console.log(`\n== ${text} ${"=".repeat(Math.max(3, 96 - text.length))}`);
}

/** Prints lines as they are. */
export function print(lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}

/** Prints what a step has left: its log, the outputs that have a value, and its job summary. */
export function printStep(step: string, result: ActionResult): void {
  const { outputs, summary } = result;
  printLog(step, result);
  heading("Outputs");
  const known = [...outputs].filter(([, value]) => value !== "");
  const width = Math.max(16, ...known.map(([name]) => name.length));
  print(known.map(([name, value]) => `${name.padEnd(width)}  ${value}`));
  heading("Job summary");
  print(renderMarkdown(summary));
}

/** Prints the log of a step alone. */
export function printLog(step: string, { log }: ActionResult): void {
  heading(`Log of ${step}`);
  print(shown(log));
}

const SEVERITIES: Readonly<Record<string, string>> = { error: "Error: ", warning: "Warning: ", notice: "Notice: " };

/** The log of a runner as a terminal shows it: a group is its title and indented lines, an annotation begins with its severity. */
function shown(log: readonly string[]): readonly string[] {
  let indent = "";
  return log.flatMap((line) => {
    const [, command = "", text = line] = /^##\[(\w+)\](.*)$/.exec(line) ?? [];
    if (command === "endgroup") {
      indent = "";
      return [];
    }
    if (command !== "group") return [indent + (SEVERITIES[command] ?? "") + text];
    indent = "  ";
    return [text];
  });
}
