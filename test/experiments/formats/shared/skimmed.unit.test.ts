import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { ALL_OTHERS, LEFT_OUT, Ledger } from "../../../../src/experiments/formats/shared/ledger.ts";
import { anyField, textField } from "../../../../src/experiments/formats/shared/shape.ts";
import { skimPlan } from "../../../../src/experiments/formats/shared/skimmed.ts";
import { skimJson } from "../../../../src/files/json/skim.ts";
import type { JsonObject, JsonValue } from "../../../../src/files/json/value.ts";

const SCHEMA = z
  .object({
    any: anyField,
    text: textField,
    many: z.array(z.object({ any: anyField }).register(LEFT_OUT, ALL_OTHERS).nullish()).nullish(),
    below: z.object({ any: anyField, text: textField }).register(LEFT_OUT, ["left"]).nullish(),
  })
  .register(LEFT_OUT, { has: (key) => key === "left" || key === "free", isFree: (key) => key === "free" });

const PLAN = skimPlan(SCHEMA, ["below.text"]);
const LONG = "a text as long as it takes to be cut out";

test("what a schema reads stays, and a ledger says the same of the rest", () => {
  const key = fc.constantFrom("any", "text", "many", "below", "left", "free", "other", "score");
  const json = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<JsonValue>(null, "", LONG, 0.5, true),
      fc.array(tie("value"), { maxLength: 2 }),
      fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
    ),
  })).value;
  const members = fc.array(fc.tuple(key, json), { maxLength: 5 }).map((all): JsonObject => Object.fromEntries(all));
  fc.assert(
    fc.property(members, (whole) => {
      const skimmed = skimJson(Buffer.from(JSON.stringify(whole)), PLAN)?.value ?? null;
      const said = [whole, skimmed].map((value) => {
        const ledger = new Ledger();
        ledger.look(SCHEMA, value);
        const read = SCHEMA.safeParse(value);
        const text = (read.data?.below?.text ?? "") === "" ? undefined : "a text";
        return { left: ledger.leftOut, unread: ledger.unread, scores: ledger.scores, read, text };
      });
      const [one, other] = said;
      expect([other?.left, other?.unread, other?.scores]).toEqual([one?.left, one?.unread, one?.scores]);
      expect(other?.read.success).toBe(one?.read.success);
      expect(other?.text).toBeUndefined();
      const withoutText = (data: z.infer<typeof SCHEMA> | undefined) =>
        data && { ...data, below: data.below && { ...data.below, text: undefined } };
      expect(withoutText(other?.read.data)).toEqual(withoutText(one?.read.data));
    }),
  );
});
