import * as z from "zod";
import type { FormatContext } from "../shared/format.ts";
import { isJsonObject } from "../../../files/json-object.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { errorText, UNKNOWN_ERROR } from "../shared/error-text.ts";
import { promptfooId, providerName, type PromptfooColumns } from "./columns.ts";
import { GRADING, namedScores } from "./scores.ts";
import { metadataOf } from "../shared/row-metadata.ts";
import { ScoreKeys } from "../shared/score-keys.ts";
import {
  anyField,
  booleanField,
  numberField,
  objectField,
  readShape,
  textField,
  type ShapePlace,
} from "../shared/shape.ts";

/** A row of the JSON or JSONL of promptfoo; undefined after a fault. */
export function promptfooRow(
  value: JsonValue,
  place: ShapePlace,
  { columns, context }: { readonly columns: PromptfooColumns; readonly context: FormatContext },
): SourceRow | undefined {
  const row = readShape(ROW, value, place, context);
  if (row === undefined) return undefined;
  const vars = varsOf(row.vars);
  const provider = providerName(row.provider);
  const prompt = row.prompt.label ?? row.prompt.raw ?? "";
  const description = row.testCase?.description ?? undefined;
  const position = row.promptIdx === undefined ? undefined : columns.positionOf(provider, row.promptIdx);
  return {
    place,
    id: promptfooId({ vars, description, provider, prompt: position ?? prompt }),
    inputs: vars,
    outputs: row.response?.output,
    scores: scoresOf(row),
    times: row.latencyMs === undefined ? undefined : { milliseconds: row.latencyMs },
    error: errorOf(row),
    metadata: metadataOf(without(row.metadata ?? {}, "_promptfooFileMetadata"), {
      prompt,
      provider,
      description,
      cost: row.cost,
      tokenUsage: row.response?.tokenUsage,
    }),
  };
}

// How the enum ResultFailureReason of promptfoo calls an error; 1 is a failed assertion, which has an `error`, too.
const FAILED_BY_ERROR = 2;

const ROW = z.object({
  vars: z.custom<JsonObject>(isJsonObject, { error: "an object" }),
  prompt: z.object({ raw: textField, label: textField }),
  promptIdx: numberField,
  provider: z.custom<string | JsonObject>((value) => typeof value === "string" || isJsonObject(value), {
    error: "an object",
  }),
  response: z.object({ output: anyField, tokenUsage: anyField, error: anyField }).nullish(),
  success: booleanField,
  score: anyField,
  namedScores: objectField,
  gradingResult: GRADING,
  failureReason: numberField,
  error: anyField,
  latencyMs: numberField,
  cost: anyField,
  testCase: z.object({ description: textField }).nullish(),
  metadata: objectField,
});
type Row = z.infer<typeof ROW>;

function scoresOf(row: Row): SourceRow["scores"] {
  const keys = new ScoreKeys(["pass", "score"]);
  const named = namedScores(row.namedScores ?? {}, row.gradingResult);
  return [
    {
      key: "pass",
      value: row.success,
      comment: row.gradingResult?.reason ?? (row.success ? undefined : errorText(row.error)),
    },
    { key: "score", value: row.score },
    ...named.map((score) => ({ ...score, key: keys.next(score.key) })),
  ];
}

function errorOf({ failureReason, gradingResult, error, response }: Row): string | undefined {
  const said = errorText(error) ?? errorText(response?.error);
  // Files from before there was a reason: what was graded is no error.
  if (failureReason === undefined) return gradingResult == null ? said : undefined;
  return failureReason === FAILED_BY_ERROR ? (said ?? UNKNOWN_ERROR) : undefined;
}

// The conversation so far, which promptfoo adds by itself, differs in every run.
function varsOf(vars: JsonObject): JsonObject {
  return without(vars, "_conversation");
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.hasOwn(object, key)
    ? Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))
    : object;
}
