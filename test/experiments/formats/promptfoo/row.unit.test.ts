import fc from "fast-check";
import { expect, test } from "vitest";
import { PromptfooColumns } from "../../../../src/experiments/formats/promptfoo/columns.ts";
import { promptfooRows, skimmedRow } from "../../../../src/experiments/formats/promptfoo/row.ts";
import type { JsonObject, JsonValue } from "../../../../src/files/json/value.ts";
import "../../../property-runs.ts";
import { silentContext } from "../reading.ts";

const KEYS = [
  ...["id", "vars", "prompt", "promptIdx", "provider", "response", "success", "score", "namedScores", "gradingResult"],
  ...["failureReason", "error", "latencyMs", "cost", "testCase", "metadata", "tokenUsage", "raw", "label", "output"],
  ...["reason", "componentResults", "assertion", "type", "metric", "weight", "description", "pass", "other", "scores"],
];
const LONG = "a text as long as it takes to be cut out";

function read(row: JsonValue) {
  const faults: string[] = [];
  const context = { ...silentContext(), fault: (_: unknown, message: string) => void faults.push(message) };
  const found = promptfooRows(row, { file: "r.json" }, { columns: new PromptfooColumns(), context });
  const { unread, leftOut, scores } = context.ledger;
  return { found: JSON.stringify(found), faults, unread, leftOut, scores };
}

test("a row says the same whether all of it is parsed or only what is read", () => {
  const value = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<JsonValue>(null, "", LONG, 0.5, true),
      fc.array(tie("value"), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom(...KEYS), tie("value"), { maxKeys: 5 }),
    ),
  })).value;
  const sound = {
    prompt: fc.dictionary(fc.constantFrom(...KEYS), value).map((more) => ({ ...more, raw: LONG, label: "a prompt" })),
    vars: fc.constant({ question: LONG }),
    provider: fc.constant("a provider"),
    success: fc.boolean(),
  };
  const parts = fc.oneof(fc.record(sound), fc.record({ prompt: sound.prompt }));
  const row = fc
    .tuple(fc.dictionary(fc.constantFrom(...KEYS), value, { maxKeys: 8 }), parts)
    .map(([more, rest]): JsonObject => ({ ...more, ...rest }));
  fc.assert(
    fc.property(row, (whole) => {
      const skimmed = skimmedRow({ bytes: Buffer.from(JSON.stringify(whole)), offset: 0, line: 1 });
      expect(read(skimmed ?? null)).toEqual(read(whole));
    }),
  );
});
