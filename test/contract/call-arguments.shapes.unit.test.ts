import { expect, test } from "vitest";
import type * as z from "zod";
import * as shapes from "../../src/contract/call-arguments.ts";

const faultOf = (shape: z.ZodType, value: unknown) => shape.safeParse(value).error?.issues[0]?.message;

test.each([
  ["some text", shapes.someText, "a", " \n", "is empty"],
  ["some text of another type", shapes.someText, "a", 1, "must be a text"],
  ["a flag", shapes.flag, false, "false", "must be true or false"],
  ["texts", shapes.texts, [], "a", "must be a list of texts"],
  ["a count", shapes.count, 1, 0, "must be 1 or more"],
  ["a whole count", shapes.count, 2, 1.5, "must be a whole number"],
  ["milliseconds", shapes.milliseconds, 604_800_000, 604_800_001, "must be a week or less"],
  ["some milliseconds", shapes.milliseconds, 1, 0, "must be 1 or more"],
  ["a choice", shapes.choice(["a", "b"]), "b", "c", "must be a or b"],
  ["an object", shapes.anyObject, {}, [], "must be an object"],
  ["an object of a type", shapes.objectOf(), [], null, "must be an object"],
  ["a function", shapes.functionOf(), () => 1, {}, "must be a function"],
  ["a signal", shapes.abortSignal, new AbortController().signal, new AbortController(), "must be an AbortSignal"],
])("%s is taken, and what breaks its rule is not", (_what, shape, good, bad, fault) => {
  expect(faultOf(shape, good)).toBeUndefined();
  expect(faultOf(shape, bad)).toBe(fault);
});
