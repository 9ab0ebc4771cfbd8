import type { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";

/** A longer line is cut: what a program prints without an end must not fill the memory. */
const LINE_LIMIT = 4_000;

/** Shorter values stand in too many lines by chance, and then a mask would tell what they are. */
const SHORTEST_SECRET = 6;

/** Calls `take` for each line that a process prints, without colours, control characters and secrets. */
export function readLines(stream: Readable, secrets: Iterable<string>, take: (line: string) => void): void {
  const hidden = [...secrets]
    .flatMap((value) => value.split(/[\r\n]+/))
    .filter((part) => part.length >= SHORTEST_SECRET);
  const clean = (line: string) => hide(stripVTControlCharacters(line), hidden).replace(/\p{Cc}+/gu, " ");
  const give = (line: string) => {
    const text = clean(line).trimEnd();
    if (text !== "") take(text.length > LINE_LIMIT ? `${text.slice(0, LINE_LIMIT)}…` : text);
  };
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split(/[\r\n]+/);
    rest = lines.pop() ?? "";
    for (const line of lines) give(line);
    if (rest.length <= 2 * LINE_LIMIT) return;
    // What may be the beginning of a secret is kept back, so that no secret is told in halves.
    const whole = hide(rest, hidden);
    const end = whole.length - Math.max(0, ...hidden.map((secret) => secret.length - 1));
    give(whole.slice(0, end));
    rest = whole.slice(end);
  });
  stream.on("end", () => {
    give(rest);
  });
  // A pipe that breaks is the end of the process, which is told elsewhere.
  stream.on("error", () => undefined);
}

// The longest first: one value may be a part of another.
function hide(line: string, secrets: readonly string[]): string {
  return secrets.toSorted((a, b) => b.length - a.length).reduce((text, secret) => text.replaceAll(secret, "***"), line);
}
