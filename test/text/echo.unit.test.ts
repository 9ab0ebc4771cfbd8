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
    ["a number within JSON in a text", "unknown 471142", JSON.stringify({ order: 471142 }), "unknown …"],
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

  test("also where the body is written with spaces", () => {
    const sent = '{ "Alice B" : 1, "b" : "Okafor" ,\n"c":\n[ "nurse 4712x"\n] }';
    expect(masked("bad: Okafor and 4712x", sent)).toBe("bad: … and …");
    expect(masked("results.0.inputs.Alice B: bad", sent)).toBe("results.0.inputs.Alice B: bad");
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
  expect(masked("The input is no text", { a: "input", b: "text" })).toBe("The … is no …");
});

describe("what services say of any request stays, whoever else has written it", () => {
  const labels = ["valid", "invalid", "required", "field", "API", "key", "not", "found"];
  test.each<readonly [string, unknown]>([
    ["Quota exceeded for this workspace", "Quota exceeded for quota metric"],
    ["results.0.inputs: Field required", labels],
    ["Invalid API key", labels],
    ["Not Found", labels],
    ["results.0.start_time: Input should be a valid datetime, invalid character in year", labels],
    ["results.0.start_time: Input should be a valid datetime", "Input should be a valid datetime"],
    ["The plan allows 1000 rows per experiment", 1000],
    ["No x-api-key header received for this request", { received: 1 }],
    ["401 Unauthorized: nothing got through", labels],
  ])("%s", (line, value) => {
    expect(masked(line, { results: [{ inputs: { text: value } }] })).toBe(line);
  });

  test.each<readonly [string, string, unknown, string]>([
    ["what follows a phrase", "Quota exceeded for quota metric", "Quota exceeded for quota metric", "Quota exceeded …"],
    [
      "what stands around a phrase",
      "Alice Okafor: Field required!",
      "Alice Okafor: Field required",
      "…: Field required!",
    ],
    ["a phrase within a text", "My patient is invalid today", "My patient is invalid today", "… is invalid …"],
    ["words of services within a text", "they must not fail the key", "They must not fail the key", "…"],
    ["a count in quotes", "the value '1000' is too large", 1000, "the value '…' is too large"],
    ["a count that is introduced", "value: 1000", 1000, "value: …"],
    ["a count after received", "received 7 of them", 7, "received …"],
    ["a longer number", "100042 is unknown", 100_042, "… is unknown"],
    ["a part of a date", "born 1980-05-04", "1980-05-04", "born …"],
    ["counts of a longer value", "call 0151 2345 now", "0151 2345", "call … now"],
  ])("but not %s", (_, line, value, shown) => {
    expect(masked(line, { results: [{ inputs: { text: value } }] })).toBe(shown);
  });
});

describe("the names of people's own fields", () => {
  const sent = { results: [{ inputs: { customer_question: 1, "Alice B": 2, user_1: 3, plan: 4 } }] };
  test.each([
    "results.3.inputs.customer_question: Field required",
    "results.3.inputs.Alice B: Field required",
    "results.3.inputs.user_1: Field required",
  ])("stay in the path before a reason: %s", (line) => {
    expect(masked(line, sent)).toBe(line);
  });

  test.each([
    ["customer_question is not known", "… is not known"],
    ["results.3.inputs: Alice B is not known", "results.3.inputs: … is not known"],
    ["no user_1 in this plan", "no … in this plan"],
  ])("are hidden elsewhere, unless they are one plain word: %s", (line, shown) => {
    expect(masked(line, sent)).toBe(shown);
  });

  test.each([
    ["results.3.inputs.Okafor: Field required", "results.3.inputs.…: Field required"],
    ["results.3.inputs.customer_question: Field required", "results.3.inputs.…: Field required"],
  ])("are hidden there, too, where they are values: %s", (line, shown) => {
    expect(masked(line, { a: "Okafor", b: "the customer question", customer_question: 1 })).toBe(shown);
  });
});

test("the time grows with what was sent, and not with its square", { tags: "slow" }, () => {
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

test("a name may be of any length: one that a service refuses is too long for a pattern", () => {
  const name = "n".repeat(100_000);
  const line = "experiment_name: String should have at most 255 characters";
  expect(new EchoMask([line], { ...NAMES, shown: [name] }).text(line)).toBe(line);
});
