import { expect, test } from "vitest";
import * as z from "zod";
import {
  ArgumentsError,
  checkCall,
  checkedArgument,
  readArgument,
  someText,
  texts,
} from "../../src/contract/call-arguments.ts";

const shape = z.strictObject({ name: someText, tags: texts.optional() });
const read = (given: unknown) => readArgument(shape, given, "the first argument");

test("an argument that is right is answered", () => {
  expect(read({ name: "a", tags: ["b"] })).toEqual({ value: { name: "a", tags: ["b"] }, wrong: new Set(), faults: [] });
});

test("what is right of an argument is kept for the checks that follow", () => {
  expect(read({ name: "a", tags: 1, size: 2 })).toMatchObject({
    value: { name: "a" },
    wrong: new Set(["tags", "size"]),
  });
  expect(read({ tags: ["b"] })).toMatchObject({ value: undefined, wrong: new Set(["name"]) });
});

test.each<[string, unknown, readonly string[]]>([
  ["nothing", undefined, ["the first argument must be an object"]],
  ["a text", "a", ["the first argument must be an object"]],
  ["null", null, ["the first argument must be an object"]],
  ["a list", [], ["the first argument must be an object"]],
  ["an empty object", {}, ["`name` is missing"]],
  ["a wrong type", { name: 1 }, ["`name` must be a text"]],
  ["a blank", { name: " " }, ["`name` is empty"]],
  ["a wrong part of a list", { name: "a", tags: [1] }, ["`tags.0` must be a text"]],
  ["an unknown name", { name: "a", Tags: [] }, ['"Tags" is not a known option']],
])("of %s every fault is reported by its name", (_what, given, faults) => {
  expect(read(given).faults).toEqual(faults);
});

test("the error is one sentence, however many faults there are", () => {
  expect(() => checkedArgument("connect", shape, {}, "the options")).toThrow(/^connect: `name` is missing\.$/);
  const many = new ArgumentsError(
    "connect",
    Array.from({ length: 30 }, (_, index) => `\`a${String(index)}\` is missing`),
  );
  expect(many.message).toMatch(/`a19` is missing; and 10 more\.$/);
  expect(many.faults).toHaveLength(30);
});

test.each<[string, z.ZodType, unknown, string]>([
  ["an object", z.looseObject({}), "a", "`given` must be an object"],
  ["texts by name", z.record(z.string(), z.string()), { a: 1 }, "`given.a` must be a text"],
  ["names", z.record(z.string(), z.string()), 7, "`given` must be an object"],
  ["a list", z.array(z.string()), {}, "`given` must be a list"],
  ["one of several", z.union([z.string(), z.number()]), true, "`given` cannot be used"],
  ["a flag", z.boolean(), 1, "`given` must be true or false"],
  ["a number", z.number(), "1", "`given` must be a number"],
  ["anything else", z.date(), "1", "`given` cannot be used"],
])("the shape of %s without words of its own has ours", (_what, shape, given, fault) => {
  expect(() => {
    checkCall("call", { given: [shape, given] });
  }).toThrow(expect.objectContaining({ faults: [fault] }));
});
