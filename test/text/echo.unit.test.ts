import { describe, expect, test } from "vitest";
import { EchoMask, type Repeatable } from "../../src/text/echo.ts";

const NAMES: Repeatable = {
  fields: ["results", "inputs", "start_time", "value", "score", "experiment_name"],
  shown: ["nightly", "qa set"],
};

/** The line as it is shown after this was sent. */
function masked(line: string, sent: unknown, { piece = 7 } = {}): string {
  const mask = new EchoMask([line], NAMES);
  const bytes = Buffer.from(typeof sent === "string" ? sent : JSON.stringify(sent));
  // In pieces, as a stream has them.
  for (let at = 0; at < bytes.length; at += piece) mask.read(bytes.subarray(at, at + piece));
  return mask.text(line);
}

describe("what a service says itself stays", () => {
  const sent = {
    experiment_name: "nightly",
    dataset_name: "qa set",
    start_time: "2026-05-04T10:00:00Z",
    results: [{ inputs: { input: "My patient Alice has a fever", workspace: 0.5, value: 12 } }],
  };
  test.each([
    "quota exceeded for this workspace",
    "results.12.start_time: must fall between experiment_start_time and experiment_end_time",
    "results.0.inputs: Input should be a valid dictionary",
    "results.12.score: Input should be less than or equal to 1000",
    'An experiment named "nightly" already exists in the dataset "qa set"',
    "nightly already exists",
    "Field 'start_time' is required, the service's clock isn't",
    "Session already exists.",
    "Das Kontingent für diesen Arbeitsbereich ist erschöpft",
  ])("%s", (line) => {
    expect(masked(line, sent)).toBe(line);
  });
});

describe("what was sent is hidden", () => {
  test.each<readonly [string, string, unknown, string]>([
    ["a text", "refused: My patient Alice has a fever!", "My patient Alice has a fever", "refused: …!"],
    ["the beginning of a text", "refused: My patient Alice ha", "My patient Alice has a fever", "refused: …"],
    ["the end of a text", "(...) Alice has a fever is bad", "My patient Alice has a fever", "(...) … is bad"],
    ["in capitals", "refused MY PATIENT ALICE", "My patient Alice has", "refused …"],
    ["with other spaces and marks", "bad: my_patient   alice; no", "my-patient\nAlice", "bad: …; no"],
    ["a short value", "Alice is no valid label", "Alice", "… is no valid label"],
    ["a short value of two words", "no such label: Al Bo", "Al Bo", "no such label: …"],
    ["a number", "0.73194 is out of range", 0.73194, "… is out of range"],
    ["a number in a text", "unknown order A-4711", "about my order A-4711, please", "unknown order …"],
    ["a number within JSON in a text", "unknown 4711", JSON.stringify({ order: 4711 }), "unknown …"],
    ["escaped as JSON", String.raw`bad: Grüße aus Köln`, "Grüße aus Köln", "bad: …"],
    ["Chinese", "无效:患者爱丽丝发烧", "患者爱丽丝发烧了", "无效:…"],
    [
      "as Python writes it",
      String.raw`Input should be a string [input_value={'a': 'x\ny'}, input_type=dict]`,
      {},
      "Input should be a string [input_value={'…': '…'}, input_type=dict]",
    ],
    ["after got", "expected a number, got 7", 7, "expected a number, got …"],
    ["after value:", "invalid value: no", "no", "invalid value: …"],
    ["in quotes that are cut", "invalid 'no, not ev", "no, not even", "invalid '…'"],
    ["in typographic quotes", "invalid “no” and ‘ja’", "no", "invalid “…” and ‘…’"],
    ["in backticks", "invalid `no`", "no", "invalid `…`"],
  ])("%s", (_, line, value, shown) => {
    expect(masked(line, { results: [{ inputs: { text: value } }] })).toBe(shown);
  });

  test("also where the body has it escaped", () => {
    const escaped = JSON.stringify({ text: "Grüße aus Köln" }).replaceAll(
      /[^\0-\x7f]/g,
      (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    expect(masked("bad: Grüße aus Köln", escaped)).toBe("bad: …");
  });

  test("however the body is cut into pieces", () => {
    for (const piece of [1, 2, 3, 1000]) {
      expect(masked("bad: My patient Alice", { a: "My patient Alice has" }, { piece })).toBe("bad: …");
      expect(masked("bad: Alice", { a: "Alice" }, { piece })).toBe("bad: …");
    }
  });
});

test("a key is no value, a value is one", () => {
  expect(masked("Input should be text", { input: 1, text: 2 })).toBe("Input should be text");
  expect(masked("Input should be text", { a: "input", b: "text" })).toBe("… should be …");
});

test("the time grows with what was sent, and not with its square", () => {
  const lines = Array.from({ length: 21 }, () => "ab".repeat(250));
  const time = (bytes: number) => {
    const mask = new EchoMask(lines, NAMES);
    const sent = Buffer.alloc(bytes, "ba");
    const start = performance.now();
    mask.read(sent);
    expect(mask.text(lines[0] ?? "")).toBe("…");
    return performance.now() - start;
  };
  time(1 << 20);
  expect(time(1 << 23)).toBeLessThan(10_000);
});
