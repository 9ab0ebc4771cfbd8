import type { LogKind, LogLine } from "../contract/deployment.ts";
import type { ForeignText } from "../text/foreign-text.ts";

const MOST_LINES = 100;

/** The last lines of a log, safe to show; an entry may have several lines. */
export function logTail(entries: readonly LogLine[], text: ForeignText): readonly string[] {
  return entries.flatMap(({ message }) => text.lines(message.trimEnd())).slice(-MOST_LINES);
}

/** `Build log, last 30 lines` */
export function logTitle(kind: LogKind, count: number): string {
  const lines = count === 1 ? "line" : `${String(count)} lines`;
  return `${kind === "build" ? "Build" : "Deploy"} log, last ${lines}`;
}
