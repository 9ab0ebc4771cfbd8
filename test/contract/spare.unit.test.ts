import { expect, test } from "vitest";
import * as z from "zod";
import { elementOf, spare } from "../../src/contract/spare.ts";

const Item = z.object({ id: z.string(), note: spare(z.string()) });

test.each([
  ["of another type", { id: "a", note: 7 }, undefined],
  ["that is null", { id: "a", note: null }, null],
  ["that is there", { id: "a", note: "x" }, "x"],
])("a spare field %s refuses no answer", (_what, value, note) => {
  expect(Item.parse(value).note).toBe(note);
});

test("an element that cannot be read is undefined, and a list keeps the others", () => {
  expect(z.array(elementOf(Item)).parse([{ id: "a" }, { id: 7 }, null])).toEqual([{ id: "a" }, undefined, undefined]);
});

test("an element that is meant says what is wrong with it, at its place", () => {
  const list = z.array(elementOf(Item, (element) => JSON.stringify(element).includes("mine")));
  const { error } = list.safeParse([{ id: 7 }, { id: 8, name: "mine" }]);
  expect(error?.issues.map(({ path }) => path)).toEqual([[1, "id"]]);
});
