import type { Readable } from "node:stream";
import { ForeignText } from "../../text/foreign-text.ts";
import { SecretMask } from "../../text/secret-mask.ts";

/** A longer line is cut: what a program prints without an end must not fill the memory. */
const LINE_LIMIT = 4_000;

/** How many characters one of a secret may take: a character of UTF-8 in a URL. */
const LONGEST_SPELLING = 12;

/** Calls `take` for each line that a process prints, without colours, control characters and secrets. */
export function readLines(stream: Readable, secrets: Iterable<string>, take: (line: string) => void): void {
  const mask = new SecretMask();
  let longest = 0;
  for (const secret of secrets) {
    mask.add(secret);
    longest = Math.max(longest, secret.length);
  }
  const clean = new ForeignText((text) => mask.text(text));
  const give = (text: string) => {
    for (const line of clean.lines(text, LINE_LIMIT)) if (line !== "") take(line);
  };
  // What may be the beginning of a secret is kept back, so that no secret is shown in halves.
  const kept = longest * LONGEST_SPELLING;
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split(/[\r\n]+/);
    rest = lines.pop() ?? "";
    for (const line of lines) give(line);
    if (rest.length <= 2 * LINE_LIMIT + kept) return;
    const whole = mask.text(rest);
    const end = Math.max(0, whole.length - kept);
    give(whole.slice(0, end));
    rest = whole.slice(end);
  });
  stream.on("end", () => {
    give(rest);
  });
  // A pipe that breaks is the end of the process, which is told elsewhere.
  stream.on("error", () => undefined);
}
