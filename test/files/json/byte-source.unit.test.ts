import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fileBytes } from "../../../src/files/json/byte-source.ts";
import { peekJson } from "../../../src/files/json/peek.ts";
import { failureOf, linesOf, splitAll } from "./reading.ts";
import { splitJsonArray } from "../../../src/files/json/array-split.ts";

function temporaryFile(name: string, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), "graph-deploy-results-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

/** How many files this process has open; undefined where the system does not tell. */
function openFiles(): number | undefined {
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : undefined;
}

test("a file of many blocks is read as what it is", { tags: "slow" }, () => {
  const rows = Array.from({ length: 30_000 }, (_, index) => ({ index, text: `${"é".repeat(index % 90)}"\\` }));
  const json = fileBytes(temporaryFile("r.json", JSON.stringify({ results: rows, end: 1 }, undefined, 1)));
  const { pieces, end } = splitAll(json, ["results"]);
  expect(pieces.map((piece) => JSON.parse(piece.text) as unknown)).toEqual(rows);
  expect(end).toEqual({ isFound: true, rest: { results: [], end: 1 } });
  const lines = linesOf(fileBytes(temporaryFile("r.jsonl", rows.map((row) => JSON.stringify(row)).join("\n"))));
  expect(lines.map((each) => JSON.parse(each.text) as unknown)).toEqual(rows);
  expect(lines.at(-1)).toHaveProperty("line", 30_000);
});

test("a file is closed however its reading ends", () => {
  const before = openFiles();
  const whole = fileBytes(temporaryFile("r.json", '{"results":[1,2,3]}'));
  splitAll(whole, ["results"]);
  splitAll(whole, ["elsewhere"]);
  for (const { line } of splitJsonArray(whole, ["results"])) {
    expect(line).toBe(1);
    break;
  }
  peekJson(whole);
  const broken = fileBytes(temporaryFile("r.json", '{"results":[1,2,3}'));
  failureOf(() => splitAll(broken, ["results"]));
  failureOf(() => splitAll(fileBytes(temporaryFile("r.json", "[\0")), []));
  failureOf(() => linesOf(fileBytes(temporaryFile("r.json", "a\0b"))));
  expect(openFiles()).toBe(before);
});

test.each([
  ["missing.json", "the file does not exist"],
  ["", "the file is a directory"],
])("a file that cannot be read is named as the user knows it (%#)", (name, fault) => {
  const folder = join(temporaryFile("r.json", ""), "..");
  for (const read of [linesOf, peekJson, (source: ReturnType<typeof fileBytes>) => splitAll(source, [])]) {
    expect(failureOf(() => read(fileBytes(join(folder, name), { name: "out/r.json" })))).toMatchObject({
      message: `out/r.json: ${fault}.`,
      code: "DATA_FILE",
    });
  }
});
