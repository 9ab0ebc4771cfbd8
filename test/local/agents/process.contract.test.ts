import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readLines } from "../../../src/local/agents/process.ts";

/** What is kept of an output that comes in these pieces. */
async function linesOf(secrets: readonly string[], pieces: readonly string[]): Promise<readonly string[]> {
  const stream = new PassThrough();
  const lines: string[] = [];
  readLines(stream, secrets, (line) => lines.push(line));
  for (const piece of pieces) stream.write(piece);
  stream.end();
  await once(stream, "end");
  return lines;
}

const SECRET = 'p@ss/wörd "one"+two=';

test.each([
  ["plain", SECRET],
  ["as in a URL", encodeURIComponent(SECRET)],
  ["as in a form", new URLSearchParams({ key: SECRET }).toString().slice(4)],
  ["as in JSON", JSON.stringify(SECRET)],
  ["as in JSON that is ASCII", JSON.stringify(SECRET).replaceAll("ö", "\\u00f6")],
  ["as in JSON in JSON", JSON.stringify(JSON.stringify({ key: SECRET }))],
  ["as in JSON in a URL", encodeURIComponent(JSON.stringify(SECRET))],
  ["with a colour in it", `${SECRET.slice(0, 4)}\u001b[31m${SECRET.slice(4)}`],
])("a secret is masked: %s", async (_, spelled) => {
  const [line = ""] = await linesOf([SECRET], [`before ${spelled} after\n`]);
  expect(line).toMatch(/^before .*\*\*\*.* after$/);
  expect(line).not.toMatch(/ss|one|two/);
});

test("a secret of many lines is masked line by line, and as JSON in one", async () => {
  const key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n";
  const lines = await linesOf([key], [`${key}${JSON.stringify({ key })}\n`]);
  expect(lines).toEqual(["***", "***", "***", '{"key":"***"}']);
});

test(
  "a secret is masked where a line without an end is cut, in whatever pieces it comes",
  { tags: "slow" },
  async () => {
    const spelled = Buffer.from(SECRET).toString("hex").replace(/../g, "%$&");
    for (const shift of Array.from({ length: 60 }, (_, index) => index)) {
      const text = `${"x".repeat(7_900 + shift)}${spelled}${"y".repeat(9_000)}`;
      const lines = await linesOf([SECRET], text.match(/[^]{1,97}/g) ?? []);
      expect(lines.join("")).not.toMatch(/%[\da-f]{2}/);
    }
  },
);
