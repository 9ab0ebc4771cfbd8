import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ResultsError } from "../../../src/experiments/reading/result-faults.ts";
import { placeText } from "../../../src/files/json/errors.ts";
import { madeZip, type MadeEntry } from "../formats/made-zip.ts";
import { FIXTURES, fixtureNames } from "../formats/stored-file.ts";
import { read } from "../../experiment-upload/rig.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "hostile-"));
  onTestFinished(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

function written(content: string | Uint8Array): string {
  const path = join(folder(), "results.any");
  writeFileSync(path, content);
  return path;
}

/** The faults of a file as sentences; none for one that was read. Anything but a ResultsError is thrown on. */
async function faultsOf(path: string): Promise<readonly string[]> {
  try {
    const { faults } = await read([path]);
    faults.throwIfAny();
    return [];
  } catch (error) {
    if (!(error instanceof ResultsError)) throw error;
    const faults = error.faults.map(({ place, message }) => `${placeText(place)}: ${message}.`);
    // One fault is the error itself.
    if (faults.length === 1) expect(faults).toEqual([error.message]);
    return faults;
  }
}

/** The rows of a file, as they are sent. */
async function rowsOf(content: string | Uint8Array): Promise<readonly Record<string, unknown>[]> {
  const { faults, spool } = await read([written(content)]);
  faults.throwIfAny();
  return JSON.parse(`[${Buffer.concat([...spool.read({ first: 0, end: spool.count })]).toString()}]`) as Record<
    string,
    unknown
  >[];
}

const NO_TEXT = "NUL byte in the text";
const DEEP = "brackets are nested more than 1,000 deep";
const TWICE = "duplicate key";
const UTF_16 = "results.any: the file is UTF-16, not UTF-8.";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const native = (...rows: readonly string[]) => `{"experiment_name":"x","results":[${rows.join(",")}]}`;
const junit = (testcase: string) => `<testsuites><testsuite name="s">${testcase}</testsuite></testsuites>`;
const START: MadeEntry = { name: "_journal/start.json", content: '{"eval":{"task":"t"}}' };
const log = (name: string, content: string | Buffer, more: Partial<MadeEntry> = {}) =>
  madeZip([START, { name, content, ...more }]);
const utf16 = (text: string) => Buffer.from(text, "utf16le");

describe("a file is refused by name with one sentence when it", () => {
  test.each<[what: string, content: string | Uint8Array, sentence: string]>([
    ["is empty", "", "results.any: the file is empty."],
    ["is a byte order mark alone", "\ufeff", "results.any: the file is empty."],
    ["is blank", " \n\n", "results.any: the file contains only white space."],
    [
      "is of no known kind",
      "hello\n",
      "results.any: could not detect the format: the file is text, but not JSON, CSV or JUnit XML.",
    ],
    [
      "has a key twice in one object of a row, of which one value would hide the other",
      native('{"inputs":{"a":1,"a":2}}'),
      `results.any, row 1: ${TWICE} \`a\`.`,
    ],
    ["is UTF-16 with a mark", utf16(`\ufeff${native()}`), UTF_16],
    ["is UTF-16 without a mark", utf16(native()), UTF_16],
    ["is UTF-16 of the other order", utf16(native()).swap16(), UTF_16],
    ["is a table in UTF-16", utf16("\ufeffinput,score\na,1\n"), UTF_16],
    ["is XML in UTF-16", utf16(junit("")), UTF_16],
    [
      "is Latin-1",
      Buffer.from('{"input":"caf\xe9","output":"a"}\n', "latin1"),
      "results.any, line 1: bytes that are not UTF-8.",
    ],
    [
      "holds several JSON texts in a line",
      '{"input":"a"}{"input":"b"}\n',
      "results.any, line 1: unexpected content after the end of the JSON.",
    ],
    [
      "has a row with fewer cells than the header, behind a cell of two lines",
      'question,exact,why\n"a\nb",1,x\n\nc,1\n',
      "results.any, line 5: the row has 2 columns instead of 3: `question`, `exact`, `why`.",
    ],
    [
      "holds a NUL byte in JSON",
      `{"experiment_name":"x","results":[\n{"inputs":"\0"}]}`,
      `results.any, line 2: ${NO_TEXT}.`,
    ],
    ["holds a NUL byte in a line", '{"input":"a","x":1}\n{"input":"\0","x":1}\n', `results.any, line 2: ${NO_TEXT}.`],
    ["holds a NUL byte in a cell", "input,score\na,1\n\0,2\n", `results.any, line 3: ${NO_TEXT}.`],
    ["is nested too deep in a row", native(`{"inputs":{"a":${nested(1_001)}}}`), `results.any, line 1: ${DEEP}.`],
    ["is nested too deep in a line", `{"input":${nested(1_001)}}\n{"input":1}\n`, `results.any, line 1: ${DEEP}.`],
    [
      "is nested too deep beside the rows",
      `{"experiment_name":"x",\n"experiment_metadata":{"a":${nested(1_001)}},"results":[]}`,
      `results.any, line 2: ${DEEP}.`,
    ],
    ["is nothing but opening brackets", "[".repeat(1_000_000), `results.any, line 1: ${DEEP}.`],
    [
      "is nested too deep in a cell",
      `x,[echo] p,Status,Score,Named Scores,Grader Reason,Comment\n1,a,PASS,1,"{""a"":${nested(1_001)}}",,\n`,
      "results.any, line 2: `Named Scores` is not a JSON object.",
    ],
    [
      "names a character that XML has not",
      junit('<testcase name="&#0;"/>'),
      "results.any, line 1: this is not well-formed XML.",
    ],
    [
      "holds UTF-16 in an entry",
      log("samples/a.json", utf16('{"id":1}')),
      "results.any: the entry `samples/a.json` of the zip: the file is UTF-16, not UTF-8.",
    ],
    ["has its rows twice", '{"experiment_name":"x","results":[],"results":[]}', `results.any, line 1: ${TWICE}.`],
    ["has a number with zeros before", native('{"inputs":{"a":01}}'), "results.any, row 1: invalid number."],
    [
      "has a text for a score",
      native('{"inputs":{},"evaluation_scores":[{"key":"a","score":"0x10"}]}'),
      'results.any, row 1: the score "a" is a text, not a number.',
    ],
  ])("%s", async (_what, content, sentence) => {
    expect(await faultsOf(written(content))).toEqual([sentence]);
  });

  test("is a folder", async () => {
    const path = join(folder(), "results.any");
    mkdirSync(path);
    expect(await faultsOf(path)).toEqual(["results.any: the file is a directory."]);
  });

  test("does not exist", async () => {
    expect(await faultsOf(join(folder(), "results.any"))).toEqual(["results.any: the file does not exist."]);
  });

  test("is a pipe, which would be waited for", async () => {
    const path = join(folder(), "results.any");
    execFileSync("mkfifo", [path]);
    expect(await faultsOf(path)).toEqual(["results.any: this is a pipe or a device, not a file."]);
  });

  test.skipIf(process.getuid?.() === 0)("may not be read", async () => {
    const path = written(native());
    chmodSync(path, 0);
    expect(await faultsOf(path)).toEqual([expect.stringMatching(/^results\.any: the file /)]);
  });
});

describe("a value of 70 MB on one line is refused in", () => {
  const big = "x".repeat(70_000_000);
  test.each([
    [
      "a row of JSON",
      () => native(`{"inputs":{"a":"${big}"}}`),
      "results.any, line 1: one value has more than 67.1 MB.",
    ],
    ["a line", () => `{"input":"${big}"}\n`, "results.any, line 1: one value has more than 67.1 MB."],
    [
      "a cell that is never closed",
      () => `input,score\na,"${big}`,
      "results.any, line 2: a row is larger than 64 MiB, as if a quote were never closed.",
    ],
    [
      "a text of XML",
      () => junit(`<testcase name="a"><failure>${big}</failure></testcase>`),
      "results.any, line 1: more than 64 MiB between two tags.",
    ],
  ])("%s", async (_where, content, sentence) => {
    expect(await faultsOf(written(content()))).toEqual([sentence]);
  });
});

describe("a file is read correctly although", () => {
  const scored = (score: string) => native(`{"inputs":{"n":1},"evaluation_scores":[{"key":"a","score":${score}}]}`);
  const scoreOf = ([row]: readonly Record<string, unknown>[]) => row?.["evaluation_scores"];

  test.each([
    ["JSON", native('{"inputs":{"__proto__":{"a":1}},"__proto__":{"inputs":2}}')],
    ["lines", '{"inputs":{"__proto__":{"a":1}},"__proto__":{"inputs":2}}\n{"inputs":1}\n'],
    ["a log", log("samples/a.json", '{"id":"__proto__","epoch":1,"input":{"__proto__":{"a":1}}}')],
  ])("keys of %s are called __proto__", async (_format, content) => {
    const [row] = await rowsOf(content);
    expect(Object.entries(row?.["inputs"] ?? {})).toEqual([["__proto__", { a: 1 }]]);
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });

  test("a column and a score are called __proto__", async () => {
    const scores = scoreOf(await rowsOf("input,__proto__,constructor\na,1,2\n"));
    expect(scores).toEqual([
      { key: "__proto__", score: 1 },
      { key: "constructor", score: 2 },
    ]);
  });

  test.each(["NaN", "Infinity", "-Infinity", "1e400", "-1e400", "null"])(
    "a score is %s, and missing",
    async (score) => {
      expect(scoreOf(await rowsOf(scored(score)))).toBeUndefined();
      expect(scoreOf(await rowsOf(`{"input":"a","a":${score}}\n`))).toBeUndefined();
      expect(scoreOf(await rowsOf(`input,a\nx,${score}\n`))).toBeUndefined();
    },
  );

  test.each([
    ["-0", 0],
    ["1E2", 100],
    ["true", 1],
    ['"0.5"', 0.5],
  ])("a score is written %s", async (score, number) => {
    expect(scoreOf(await rowsOf(scored(score)))).toEqual([{ key: "a", score: number }]);
    expect(scoreOf(await rowsOf(`input,a\nx,${score.replaceAll('"', "")}\n`))).toEqual([{ key: "a", score: number }]);
  });

  test("integers are over 2^53, wherever they stand", async () => {
    const number = "9007199254740993";
    for (const content of [
      native(`{"inputs":{"n":${number}},"evaluation_scores":[{"key":"a","score":${number}}]}`),
      `{"input":{"n":${number}},"a":${number}}\n`,
      `input.n,a\n${number},${number}\n`,
    ]) {
      const { spool } = await read([written(content)]);
      const sent = Buffer.concat([...spool.read({ first: 0, end: 1 })]).toString();
      expect(sent).toContain(`"score":${number}`);
      expect(sent).toMatch(new RegExp(`"inputs":{"n":"?${number}"?}`));
    }
  });

  test("a text holds an escaped NUL", async () => {
    expect(await rowsOf(native('{"inputs":{"a":"\\u0000"}}'))).toMatchObject([{ inputs: { a: "\ufffd" } }]);
  });

  test("a row is nested 900 deep", async () => {
    expect(await rowsOf(native(`{"inputs":{"a":${nested(900)}}}`))).toHaveLength(1);
  });

  test.each(["native/experiment.json", "jsonl/names.jsonl", "csv/names.csv", "junit/pytest-9.xml"])(
    "%s begins with a byte order mark, and has the line ends of Windows",
    async (name) => {
      const text = readFileSync(join(FIXTURES, name), "utf8");
      const rows = await rowsOf(text);
      expect(await rowsOf(`\ufeff${text}`)).toEqual(rows);
      expect(await rowsOf(text.replaceAll("\n", "\r\n"))).toHaveLength(rows.length);
    },
  );

  test("one case is repeated 30,000 times", async () => {
    const { rows, spool } = await read([written('{"input":"a","x":1}\n'.repeat(30_000))]);
    expect({ shared: rows.shared, count: spool.count }).toEqual({ shared: 0, count: 30_000 });
  });

  test("a row has 50,000 columns", async () => {
    const names = Array.from({ length: 50_000 }, (_, index) => `"a${index}":1`);
    const [row] = await rowsOf(`{"input":1,${names.join(",")}}\n`);
    expect(row?.["evaluation_scores"]).toHaveLength(50_000);
  });
});

describe("what any tool may have written, changed by somebody:", () => {
  const texts = fixtureNames().filter((name) => !/\.eval$|utf-16|cut-off|duplicate-headers/.test(name));

  test.each(texts)("%s", async (name) => {
    const text = readFileSync(join(FIXTURES, name), "utf8");
    const middle = text.indexOf("e", text.length / 2);
    expect(await faultsOf(written(utf16(text)))).toEqual([UTF_16]);
    const withZero = await faultsOf(written(`${text.slice(0, middle)}\0${text.slice(middle)}`));
    // YAML is read as a text, in which NUL becomes U+FFFD as an escaped one does.
    if (name.endsWith(".yaml")) return;
    expect(withZero).toEqual([expect.stringMatching(new RegExp(`^results\\.any, line \\d+: ${NO_TEXT}\\.$`))]);
    const isJson = /\.jsonl?$/.test(name);
    if (!isJson || name.includes("mapped")) return;
    // A fault is reported, or the row is read without that key: nothing is thrown, and nothing gets into other objects.
    await faultsOf(written(text.replaceAll(/\{(?=\s*")/g, '{"__proto__":{"polluted":1},')));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    const value = /":\s*"(?=[^"]{3})/g;
    value.lastIndex = text.length / 2;
    if (!value.test(text)) return;
    const broken = `${text.slice(0, value.lastIndex)}\\udc00${text.slice(value.lastIndex)}`;
    // A text continues with a replacement; what should be a time or a number is none, and one trial of a case asks
    // something else than the others.
    for (const fault of await faultsOf(written(broken))) expect(fault).toMatch(/ is a text, not | but other inputs/);
  });
});

describe("a file that was cut off is read as far as its rows are whole, or refused with one sentence:", () => {
  const CUT = [
    "unterminated string, as if the file were cut off",
    "unclosed bracket, as if the file were cut off",
    "the file ends in the middle of its JSON",
    "the file ends in the middle of its XML, as if it were cut off",
    "the zip has no directory at its end, as if the file were cut off",
    "a quote in this row is never closed, as if the file were cut off",
    "unquoted word (only true, false and null are allowed)",
    "invalid number",
  ];
  const OTHERS = [
    /^(?:as CSV, )?the row has \d+ columns? instead of \d+: /,
    /^no column contains the inputs/,
    /^could not detect the format/,
    /^the file has only one line, and no rows$/,
    /^the file is the summary of /,
    /^the file is not valid YAML: line \d+/,
    /^there is no heading `Grader Reason`$/,
    /^the file is the list of the run items of Langfuse, which has ids, but neither inputs nor scores$/,
    /^the heading `.*` is not expected at its place in a promptfoo table$/s,
    /^the headings of the last prompt are incomplete$/,
  ];
  // A YAML text that was cut is most often a YAML text.
  const whole = fixtureNames().filter((name) => !/utf-16|cut-off|duplicate-headers|\.yaml$/.test(name));

  test.each(whole)("%s", async (name) => {
    const bytes = readFileSync(join(FIXTURES, name));
    for (const at of [0.1, 0.35, 0.6, 0.85, 1 - 3 / bytes.length]) {
      const faults = await faultsOf(written(bytes.subarray(0, Math.floor(bytes.length * at))));
      expect(faults.length).toBeLessThanOrEqual(1);
      for (const fault of faults) {
        const what = /^results\.any(?:, (?:line|row) \d+)?: (.*)\.$/s.exec(fault)?.[1] ?? fault;
        if (!OTHERS.some((pattern) => pattern.test(what))) expect(CUT).toContain(what);
        // What a command printed begins with texts, in which no rows may be left.
        if (/\.(?:json|jsonl|eval)$/.test(name) && !name.startsWith("pytest-json/") && !name.includes("stdout"))
          expect(CUT).toContain(what);
      }
    }
  });
});
