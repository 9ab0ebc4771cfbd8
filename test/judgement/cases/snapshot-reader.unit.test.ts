import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CaseSet } from "../../../src/judgement/cases/case-set.ts";
import { SnapshotError } from "../../../src/judgement/cases/errors.ts";
import { isSnapshot, readSnapshot } from "../../../src/judgement/cases/snapshot-reader.ts";
import { snapshotLines, writeSnapshot } from "../../../src/judgement/cases/snapshot-writer.ts";
import { plain } from "./cases-rig.ts";
import { keyOf, runs, setOf, trial, trials } from "./made-sets.ts";

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "graph-deploy-snapshot-"));
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

const file = (name = "main.snapshot.jsonl") => ({ path: join(directory, name), name });
const textOf = (set: CaseSet, withTexts = false) => [...snapshotLines(set, { withTexts })].join("");

function readBack(text: string | Buffer): CaseSet {
  writeFileSync(file().path, text);
  return readSnapshot(file());
}

const FULL = setOf(
  [
    trial(
      1,
      { accuracy: 1, tone: 0.5, latency: 20, tokens: 12, cost: 0.01 },
      { start: 1_764_000_000_000_000, unscored: ["style"] },
    ),
    trial(2, { accuracy: 0, tone: 0.1 }, { hasError: true, error: "broke", inputs: "?", outputs: "no" }),
    trial(2, { accuracy: 1 }, { name: undefined, metadata: undefined }),
  ],
  {
    evaluator: "e1",
    commit: "abc",
    ref: "refs/heads/main",
    run: "77",
    agentRevision: "r-1",
    concurrency: 4,
    timeout: 120_000,
  },
);

test("a snapshot has a header, and a line for each case without texts", () => {
  expect(textOf(FULL)).toMatchSnapshot();
});

test("a snapshot has texts where they are asked for, and gives them back", () => {
  expect(textOf(FULL)).not.toContain("broke");
  expect(plain(readBack(textOf(FULL, true)), { withPlaces: false })).toEqual(plain(FULL, { withPlaces: false }));
});

test("what is read is what was written, and is written again as the same bytes", { tags: "slow" }, () => {
  fc.assert(
    fc.property(trials, runs, (given, run) => {
      const set = setOf(given, run);
      const text = textOf(set);
      const read = readBack(text);
      expect(plain(read)).toEqual(plain(set));
      expect(textOf(read)).toBe(text);
    }),
  );
});

test("trials that are the same once rounding is undone are written in the order in which they are read", () => {
  const [first] = fc.sample(trials, { numRuns: 100, seed: 1 }).find(({ length }) => length > 0) ?? [];
  if (first === undefined) expect.fail("no trial was made");
  const one = { ...first, values: [["share", -5e-324] as const], unscored: undefined, start: undefined };
  const set = setOf([one, { ...one, values: [["share", 0] as const], start: 0 }]);
  expect(textOf(readBack(textOf(set)))).toBe(textOf(set));
});

test("the same trials in any order are the same bytes", () => {
  fc.assert(
    fc.property(trials, (given) => {
      expect(textOf(setOf(given.toReversed()))).toBe(textOf(setOf(given)));
    }),
  );
});

test("a snapshot that was cut off or changed is an error with its place, or another snapshot", { tags: "slow" }, () => {
  const whole = Buffer.from(textOf(FULL));
  fc.assert(
    fc.property(fc.nat(whole.length - 2), (length) => {
      expect(() => readBack(whole.subarray(0, length))).toThrow(SnapshotError);
    }),
  );
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
      const changed = Buffer.from(whole);
      changed[at] = byte;
      try {
        readBack(changed);
      } catch (error) {
        expect(error).toBeInstanceOf(SnapshotError);
        expect((error as SnapshotError).message).toContain("main.snapshot.jsonl");
      }
    }),
  );
});

const [HEADER = "", CASE = "", LAST = ""] = textOf(FULL).trimEnd().split("\n");
const edited = (line: string, from: string | RegExp, to: string) => {
  expect(line).toMatch(from);
  return line.replace(from, to);
};
const accurate = [CASE, LAST].find((line) => line.includes('"tone":0.5')) ?? "";

test.each<[string, readonly string[], string]>([
  ["an empty file", [""], "the file is empty"],
  ["no header", [CASE, LAST], "line 1: the first line must be the header of a snapshot"],
  [
    "a later schema",
    [edited(HEADER, "snapshot@2", "snapshot@3"), CASE],
    "line 1: the snapshot has another schema than",
  ],
  ["no time", [edited(HEADER, /"created":"[^"]*"/, '"created":"soon"')], "line 1: `created` is not a time of RFC 3339"],
  [
    "a metric without a kind",
    [edited(HEADER, '"kind":"binary"', '"kind":"odd"')],
    "line 1: `metrics.0` must have a name",
  ],
  ["a case that is missing", [HEADER, CASE], "the header states 2 cases with 3 trials, but the file has 1"],
  ["a case twice", [HEADER, CASE, CASE], "line 3: the case appears twice"],
  ["another order", [HEADER, LAST, CASE], "line 3: the cases are not in the order of their keys"],
  ["no case", [HEADER, "[1]"], "line 2: the line is a list, not a case"],
  ["no key", [HEADER, edited(CASE, /"case":"[^"]*"/, '"case":"a"')], "line 2: `case` must be a UUID in lower case"],
  ["no digest", [HEADER, edited(CASE, /"digest":"[^"]*"/, '"digest":"a"')], "line 2: `digest` must be 32 hex digits"],
  ["no trial", [HEADER, edited(CASE, /"trials":.*/, '"trials":[]}')], "line 2: `trials` must be a list"],
  [
    "a text as a score",
    [HEADER, edited(accurate, '"tone":0.5', '"tone":"high"')],
    "line 2: `tone` is a text, not a number",
  ],
  [
    "a value of another kind",
    [HEADER, edited(accurate, '"accuracy":1', '"accuracy":2')],
    "line 2: `accuracy` has a value",
  ],
  [
    "a start that is no number",
    [HEADER, edited(accurate, /"start":\d+/, '"start":"now"')],
    "line 2: `start` of a trial",
  ],
  [
    "named metrics that are no texts",
    [HEADER, edited(accurate, '["style"]', "[1]")],
    "line 2: `unscored` of a trial must be a list of texts",
  ],
  ["an evaluator of numbers", [edited(HEADER, '"e1"', '{"a":1}')], "line 1: `evaluator` must be a text"],
  ["an unknown metric", [HEADER, edited(accurate, '"tone"', '"tune"')], "line 2: `tune` is not among the metrics"],
  ["a latency of none", [HEADER, edited(accurate, '"ms":20', '"ms":null')], "line 2: `latency` is null, not a number"],
  ["broken JSON", [HEADER, CASE.slice(0, -3)], "line 2: "],
  [
    "metadata with objects",
    [HEADER, edited(CASE, /"metadata":\{[^}]*\}/, '"metadata":{"a":{}}')],
    "line 2: `metadata` must be",
  ],
])("a fault of a snapshot is one error with its line %s", (_what, lines, message) => {
  expect(() => readBack(lines.join("\n"))).toThrow(message);
  expect(() => readBack(lines.join("\n"))).toThrow(SnapshotError);
});

test("a file that does not exist, or is a directory, is an error", () => {
  expect(() => readSnapshot(file("none.snapshot.jsonl"))).toThrow("none.snapshot.jsonl: the file does not exist.");
  expect(() => readSnapshot({ path: directory, name: "d" })).toThrow("d: the file is a directory.");
});

test("a snapshot is written in one step over what was there, and leaves nothing else", () => {
  const target = { path: join(directory, "deep/er/main.snapshot.jsonl"), name: "main.snapshot.jsonl" };
  writeSnapshot(setOf([trial(1, { accuracy: 1 })]), target);
  writeSnapshot(FULL, target);
  expect(readFileSync(target.path, "utf8")).toBe(textOf(FULL));
  expect(readdirSync(join(directory, "deep/er"))).toEqual(["main.snapshot.jsonl"]);
});

test("a snapshot that cannot be written is an error, and the old one stays", () => {
  writeFileSync(file("flat").path, "");
  const target = { path: join(directory, "flat/main.snapshot.jsonl"), name: "flat/main.snapshot.jsonl" };
  expect(() => {
    writeSnapshot(FULL, target);
  }).toThrow(/flat\/main\.snapshot\.jsonl: the snapshot cannot be written/);
});

test("a snapshot is known by its name or by how it begins", () => {
  writeFileSync(file("plain.jsonl").path, textOf(FULL));
  writeFileSync(file("rows.jsonl").path, '{"inputs":{}}\n');
  expect([file(), file("plain.jsonl"), file("rows.jsonl"), file("none.jsonl")].map(isSnapshot)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(isSnapshot(file("gone.snapshot.jsonl"))).toBe(true);
  expect(keyOf(1)).toMatch(/^[\da-f-]{36}$/);
});
