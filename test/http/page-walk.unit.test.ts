import { expect, test } from "vitest";
import { EndlessListError, TimeoutError } from "../../src/http/errors.ts";
import { walkPages, type ListOptions } from "../../src/http/page-walk.ts";
import { SimulatedClock } from "../wire/clocks.ts";

/** All items of a list that has these pages, one after the other; the last one again and again. */
async function walked(
  pages: readonly (readonly (string | undefined)[])[],
  options: ListOptions = {},
  milliseconds = 1,
) {
  const clock = new SimulatedClock();
  const asked: [offset: number, left: number | undefined][] = [];
  const page = (offset: number, { deadlineMilliseconds }: ListOptions) => {
    asked.push([offset, deadlineMilliseconds]);
    clock.pass(milliseconds);
    return Promise.resolve(pages[Math.min(asked.length, pages.length) - 1] ?? []);
  };
  const items: string[] = [];
  const list = { what: "The list", page, clock, idOf: (item: string) => item };
  for await (const item of walkPages(list, { deadlineMilliseconds: 100, ...options })) items.push(item);
  return { items, asked };
}

test("a page begins behind all items before it, read or not, and what is left of the time is for it", async () => {
  const { items, asked } = await walked([["a", "b"], [undefined], ["c"], []]);
  expect(items).toEqual(["a", "b", "c"]);
  expect(asked).toEqual([
    [0, 100],
    [2, 99],
    [3, 98],
    [4, 97],
  ]);
});

test("an item is given once, and a page that brings nothing new is the last", async () => {
  const { items, asked } = await walked([["a", "b"], ["b", "c"], ["a"], ["d"]]);
  expect(items).toEqual(["a", "b", "c"]);
  expect(asked).toHaveLength(3);
});

test("a list without an end is left after so many pages, or so much time", async () => {
  const fresh = Array.from({ length: 200 }, (_, index) => [String(index)]);
  await expect(walked(fresh, { mostPages: 5 })).rejects.toThrow(EndlessListError);
  await expect(walked(fresh)).rejects.toThrow(EndlessListError);
});

test("the timeout of the only page is its own, and that of a later one is the list's", async () => {
  const clock = new SimulatedClock();
  const slow = (before: number) => {
    let left = before;
    return {
      ...{ what: "The list", clock, idOf: (item: string) => item },
      page: () => {
        if (left-- > 0) return Promise.resolve([String(left)]);
        clock.pass(100);
        return Promise.reject(new TimeoutError(1, { target: "GET /x", mayHaveBeenProcessed: false }));
      },
    };
  };
  const all = async (before: number) => {
    const items = walkPages(slow(before), { deadlineMilliseconds: 100 });
    while ((await items.next()).done !== true);
  };
  await expect(all(0)).rejects.toThrow(TimeoutError);
  await expect(all(1)).rejects.toThrow(EndlessListError);
});
