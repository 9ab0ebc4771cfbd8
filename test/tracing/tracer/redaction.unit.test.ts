import { describe, expect, test } from "vitest";
import { Redaction } from "../../../src/tracing/tracer/redaction.ts";

const fails = (): never => {
  throw new Error("the redaction is broken");
};

describe("what is sent of a value", () => {
  const plain = new Redaction();

  test.each([
    ["an object as it is", { a: 1 }, { a: 1 }],
    ["a text by a name", "x", { input: "x" }],
    ["a list by a name", [1], { input: [1] }],
    ["null by a name", null, { input: null }],
    ["nothing of undefined", undefined, undefined],
  ])("%s", (_what, value, sent) => {
    expect(plain.inputs(value)).toEqual(sent);
  });

  test("outputs have a name of their own", () => {
    expect(plain.outputs("x")).toEqual({ output: "x" });
  });
});

describe("a redaction", () => {
  test("gets the object that would be sent, and gives another", () => {
    const redaction = new Redaction({
      inputs: (value) => ({ was: typeof value }),
      outputs: () => "***",
    });
    expect(redaction.inputs({ secret: "s" })).toEqual({ was: "object" });
    expect(redaction.outputs({ secret: "s" })).toEqual({ output: "***" });
    expect(redaction.inputs(undefined)).toBeUndefined();
  });

  test("that throws sends nothing of the value", () => {
    const redaction = new Redaction({ inputs: fails, outputs: fails, errors: fails });
    const sent = [redaction.inputs({ a: "secret" }), redaction.outputs("secret"), redaction.error(new Error("secret"))];
    expect(JSON.stringify(sent)).not.toContain("secret");
    expect(JSON.stringify(sent).match(/withheld/g)).toHaveLength(3);
  });
});

test("an error is sent as its name and its message, and anything thrown as a text", () => {
  const redaction = new Redaction();
  expect(redaction.error(new TypeError("no"))).toBe("TypeError: no");
  expect(redaction.error("no")).toBe("no");
  expect(redaction.error(Object.assign(Object.create(null) as object, { a: 1 }))).toBe('{"a":1}');
  expect(new Redaction({ errors: (text) => text.toUpperCase() }).error("no")).toBe("NO");
});
