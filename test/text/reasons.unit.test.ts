import fc from "fast-check";
import { expect, test } from "vitest";
import { reasonsText, withFullStop } from "../../src/text/reasons.ts";

test("reasons are joined into one sentence", () => {
  expect(reasonsText(["a is missing"])).toBe("a is missing");
  expect(reasonsText(["a is missing", "b is long"])).toBe("a is missing; b is long");
  expect(reasonsText(["a is missing"], 1_200)).toBe("a is missing; and 1,200 more");
});

test("however many and long they are, the sentence has a bound and counts what it leaves out", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.string({ maxLength: 400 }).map((text) => text.replaceAll(";", "")),
        { maxLength: 60 },
      ),
      (all) => {
        const text = reasonsText(all);
        expect(text.length).toBeLessThan(1_020);
        const [rest] = /(?<=^|; )and \d+ more$/.exec(text) ?? ["and 0 more"];
        const shown = text === "" ? [] : text.split("; ").filter((part) => part !== rest);
        const left = Number(rest.replaceAll(/\D/g, ""));
        if (all.every((reason) => reason !== "")) expect(shown.length + left).toBe(all.length);
      },
    ),
  );
});

test("a clause that stands alone ends with a full stop, or with its question", () => {
  expect(withFullStop("a is missing")).toBe("a is missing.");
  expect(withFullStop("a is missing; did you mean b?")).toBe("a is missing; did you mean b?");
});
