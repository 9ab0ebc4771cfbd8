import fc from "fast-check";
import { expect, test } from "vitest";
import { type KeptText, TextStore } from "../../../src/tracing/ingest/text-store.ts";

function textOf(kept: KeptText | string): string {
  if (typeof kept === "string") return kept;
  const bytes = Buffer.alloc(kept.length);
  expect(kept.copyTo(bytes, 0)).toBe(kept.length);
  return bytes.toString("utf8");
}

const long = (character: string, bytes = 100_000) => character.repeat(bytes);

function keepLong(store: TextStore, text: string): KeptText {
  const kept = store.keep(text);
  if (typeof kept === "string") throw new Error("It was not kept as bytes");
  return kept;
}

test("a short text stays as it is", () => {
  expect(new TextStore().keep("short")).toBe("short");
});

test("texts read back as they were, in whatever order others are released", () => {
  const text = fc.record({ unit: fc.string({ unit: "grapheme", minLength: 1 }), times: fc.nat(30_000) });
  const step = fc.oneof(text, fc.nat());
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const store = new TextStore();
      const open: { readonly kept: KeptText | string; readonly text: string }[] = [];
      for (const each of steps) {
        if (typeof each === "number") {
          const [gone] = open.splice(each % Math.max(1, open.length), 1);
          if (gone !== undefined && typeof gone.kept !== "string") store.release(gone.kept);
        } else {
          const whole = each.unit.repeat(each.times);
          open.push({ kept: store.keep(whole), text: whole });
        }
        for (const { kept, text: expected } of open) expect(textOf(kept) === expected).toBe(true);
      }
    }),
    { numRuns: 10 },
  );
});

test.each([
  ["fills the memory that is left", 100_000, true],
  ["has one character more", 100_001, false],
])("a text of three bytes a character that %s is whole", (_, characters, fits) => {
  const store = new TextStore();
  const { slab } = keepLong(store, long("a", 1024 * 1024 - 300_000));
  const kept = keepLong(store, long("€", characters));
  expect(textOf(kept) === long("€", characters)).toBe(true);
  expect(kept.slab === slab).toBe(fits);
});

test("memory is used again once all of its texts are released", () => {
  const store = new TextStore();
  const slabs = new Set<object>();
  for (let round = 0; round < 100; round++) {
    const kept = Array.from({ length: 30 }, () => keepLong(store, long("a")));
    for (const each of kept) slabs.add(each.slab);
    for (const each of kept) store.release(each);
  }
  // 3 MB wait at a time.
  expect(slabs.size).toBeLessThanOrEqual(4);
});

test("memory with a text that waits is not used again", () => {
  const store = new TextStore();
  const [first, ...others] = Array.from({ length: 30 }, (_, index) => keepLong(store, long(String(index % 10))));
  for (const each of others) store.release(each);
  for (let count = 0; count < 30; count++) keepLong(store, long("z"));
  expect(first === undefined ? "" : textOf(first)).toBe(long("0"));
});
