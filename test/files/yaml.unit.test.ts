import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ExactNumber, writeJsonValue, type JsonValue } from "../../src/files/json/value.ts";
import { readYaml, readYamlObject } from "../../src/files/yaml.ts";

async function valueOf(text: string): Promise<JsonValue> {
  const reading = await readYaml(text);
  if (!reading.ok) expect.fail(reading.faults.join("; "));
  return reading.value;
}

async function faultsOf(text: string): Promise<readonly string[]> {
  const reading = await readYaml(text);
  return reading.ok ? [] : reading.faults;
}

describe("a YAML text", () => {
  test("stands for the JSON that YAML 1.2 means", async () => {
    const text = `
text: plain words
quoted: "42"
block: |
  two
  lines
yes: yes
on: off
truth: True
nothing: ~
empty:
date: 2026-08-28
time: 2026-08-28T10:15:00Z
list: [1, two, { three: 3 }]
1: one
true: sure
<<: { merged: no }
`;
    expect(await valueOf(text)).toEqual({
      text: "plain words",
      quoted: "42",
      block: "two\nlines\n",
      yes: "yes",
      on: "off",
      truth: true,
      nothing: null,
      empty: null,
      date: "2026-08-28",
      time: "2026-08-28T10:15:00Z",
      list: [1, "two", { three: 3 }],
      "1": "one",
      true: "sure",
      "<<": { merged: "no" },
    });
  });

  test("means the same when it says that it is YAML 1.1", async () => {
    expect(await valueOf("%YAML 1.1\n---\na: yes\nb: 2026-08-28\n<<: { c: 1 }")).toEqual({
      a: "yes",
      b: "2026-08-28",
      "<<": { c: 1 },
    });
  });

  test.each(["", "  \n", "# a note", "~", "---\n"])("that is empty is null: %j", async (text) => {
    expect(await valueOf(text)).toBeNull();
  });

  test.each([
    ["9007199254740993", "9007199254740993"],
    ["-12345678901234567890", "-12345678901234567890"],
    ["0.12345678901234567890", "0.12345678901234567890"],
    ["1e400", "1e400"],
    ["0xFFFFFFFFFFFFFFFF", "18446744073709551615"],
    ["0o17", "15"],
    ["+012.50", "12.5"],
    ["-.5", "-0.5"],
    ["3.", "3"],
    ["1.e3", "1000"],
    ["-0", "0"],
    ["00", "0"],
  ])("writes the number %s as %s", async (text, json) => {
    expect(writeJsonValue(await valueOf(`n: ${text}`))).toBe(`{"n":${json}}`);
  });

  test("keeps a number that a double cannot hold, and no other", async () => {
    expect(await valueOf("[9007199254740993, 9007199254740992, 1.50]")).toEqual([
      new ExactNumber("9007199254740993"),
      9007199254740992,
      1.5,
    ]);
  });

  test("has keys that are nothing but keys", async () => {
    const value = await valueOf("__proto__: { polluted: true }\nconstructor: 1\ntoString: 2");
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":true},"constructor":1,"toString":2}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty("polluted");
  });

  test("may use a value again", async () => {
    expect(await valueOf("a: &x { b: &y [1] }\nc: *x\nd: *y\ne: &y 2\nf: *y\n&k key: 1\ng: { *k : 2 }")).toEqual({
      a: { b: [1] },
      c: { b: [1] },
      d: [1],
      e: 2,
      f: 2,
      key: 1,
      g: { key: 2 },
    });
  });

  test("reports all of its faults, by their keys and never by their values", async () => {
    const text =
      'a: { b: .nan, c: [1, -.inf] }\nd: "sesame \\ud800"\n? [sesame]\n: 1\n? ~\n: 2\ne: 1\ne: sesame\n1: x\n"1": y';
    expect([...(await faultsOf(text))].sort()).toEqual(
      [
        "`a.b` is not a number that JSON can represent",
        "`a.c.1` is not a number that JSON can represent",
        "`d` contains half of a surrogate pair",
        "has a key that is not text",
        "`e` is set twice",
        "`1` is set twice",
      ].sort(),
    );
  });

  test("reports an error for a key that is empty", async () => {
    expect(await faultsOf('"": .nan')).toEqual(['`""` is not a number that JSON can represent']);
    expect(await faultsOf("? [a]\n: &x .nan\n? [b]\n: *x")).toEqual([
      "has a key that is not text",
      '`""` is not a number that JSON can represent',
    ]);
  });

  test("has no more than 20 faults one by one", async () => {
    const faults = await faultsOf(Array.from({ length: 50 }, (_, index) => `k${index}: .nan`).join("\n"));
    expect(faults).toHaveLength(21);
    expect(faults.at(-1)).toBe("has 30 more errors");
  });

  test.each([
    ["an open bracket", "a: 1\nb: [sesame", /^is not valid YAML: line 2, column \d+ \([A-Z_]+\)$/],
    ["a tab before a key", "a:\n\tb: 1", /^is not valid YAML: line 2, column 1 \(TAB_AS_INDENT\)$/],
    ["two documents", "a: 1\n---\nb: 2", /^is not valid YAML: line 2, column 1 \(MULTIPLE_DOCS\)$/],
    ["a tag of another schema", "a: !!binary aGVsbG8=", /^is not valid YAML: line 1, column 4 \(TAG_RESOLVE_FAILED\)$/],
    ["a tag of nobody", "a: !sesame x", /^is not valid YAML: line 1, column 4 \(TAG_RESOLVE_FAILED\)$/],
    ["an alias of nothing", "a: *sesame", /^has an alias without an anchor before it$/],
    ["an alias of what it stands in", "a: &x [*x]", /^has an alias without an anchor/],
    ["an alias of what it stands in, of an older name", "b: &x 1\na: &x [*x]", /^has an alias without an anchor/],
  ])("is refused for %s", async (_what, text, fault) => {
    const faults = (await faultsOf(text)).join();
    expect(faults).toMatch(fault);
    expect(faults).not.toContain("sesame");
  });

  test.each([
    ["lists", (name: string, below: string) => `${name}: &${name} [${`*${below},`.repeat(9)}]`, "a0: &a0 [x]"],
    [
      "long texts",
      (name: string, below: string) => `${name}: &${name} [*${below}]`,
      `a0: &a0 "${"x".repeat(300_000)}"`,
    ],
  ])("that unfolds to something huge is refused: %s", async (_what, level, first) => {
    const levels = Array.from({ length: 12 }, (_, index) => level(`a${index + 1}`, `a${index}`));
    expect(await faultsOf([first, ...levels].join("\n"))).toEqual(["is too large, with its aliases expanded"]);
  });

  test.each([
    ["[", "[".repeat(60_000)],
    ["{a: ", "{a: ".repeat(30_000)],
    ["- ", `${"- ".repeat(60_000)}1`],
    ["[] to its end", "[".repeat(60_000) + "]".repeat(60_000)],
  ])("that is nested without end is refused: %s", { tags: "slow" }, async (_what, text) => {
    expect((await faultsOf(text)).length).toBeGreaterThan(0);
  });

  test("is read at once when it has very many keys or aliases", { tags: "slow" }, async () => {
    const keys = Array.from({ length: 10_000 }, (_, index) => `k${index}: 1`).join("\n");
    expect(Object.keys((await valueOf(keys)) ?? {})).toHaveLength(10_000);
    const aliases = Array.from({ length: 4_000 }, (_, index) => `- &a${index} x\n- *a${index}`).join("\n");
    expect(await valueOf(aliases)).toHaveLength(8_000);
  });

  test("may be any JSON", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), async (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        // JSON has one key of a name, and YAML knows no -0 apart from 0.
        expect(writeJsonValue(await valueOf(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  test("of any kind is read or refused", async () => {
    const unit = fc.constantFrom(..."a b:-[]{}&*!?|>%@\"'#,\n\t~<.0x1eN\u0000\ud800".split(""));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 40 }), async (text) => {
        const reading = await readYaml(text);
        if (reading.ok) expect(JSON.parse(writeJsonValue(reading.value))).toBeDefined();
        else expect(reading.faults.length).toBeGreaterThan(0);
      }),
    );
  });
});

const readObject = (text: string) => readYamlObject(text, "model: small");

describe("a YAML text for an object", () => {
  test("is a mapping of any shape", async () => {
    const reading = await readObject("model: small\ntemperature: 0.2\ntools: [search, run]\nprompt: { version: 7 }");
    expect(reading).toMatchObject({
      ok: true,
      value: { model: "small", temperature: 0.2, tools: ["search", "run"], prompt: { version: 7 } },
    });
  });

  test("keeps the digits of large numbers, and dates as they are written", async () => {
    const reading = await readObject("build: 12345678901234567890\nreleased: 2026-08-28\n__proto__: 1");
    if (!reading.ok) expect.fail(reading.faults.join());
    expect(writeJsonValue(reading.value)).toBe('{"build":12345678901234567890,"released":"2026-08-28","__proto__":1}');
  });

  test.each(["", "# nothing yet", "null"])("is empty for %j", async (text) => {
    const reading = await readObject(text);
    if (!reading.ok) expect.fail(reading.faults.join());
    expect(reading.value).toEqual({});
  });

  test.each(["small", "- a", "[a]", "42", "true", "12345678901234567890"])("is not %j", async (text) => {
    expect(await readObject(text)).toEqual({
      ok: false,
      faults: ["must be a YAML mapping, for example `model: small`"],
    });
  });

  test("holds nothing that JSON cannot", async () => {
    expect(await readObject("loss: { train: .nan, test: .inf }")).toEqual({
      ok: false,
      faults: [
        "`loss.train` is not a number that JSON can represent",
        "`loss.test` is not a number that JSON can represent",
      ],
    });
  });
});

describe("the line of a value", () => {
  const TEXT =
    "# cases\n\ndataset: a.jsonl\nscorers:\n  3: &exact\n    equals: $.a\n  list: [1,\n    2]\n  same: *exact\n";

  test.each([
    [[], 3],
    [["dataset"], 3],
    [["scorers"], 4],
    [["scorers", "3", "equals"], 6],
    [["scorers", "list", "1"], 8],
    // An alias stands for what has the anchor.
    [["scorers", "same", "equals"], 6],
    // Of what is not there, that of the nearest above it.
    [["scorers", "list", "7", "a"], 7],
    [["trials"], 3],
  ])("of %j is %d", async (path, line) => {
    const reading = await readYaml(TEXT);
    if (!reading.ok) expect.fail(reading.faults.join());
    expect(reading.lineOf(path)).toBe(line);
  });
});
