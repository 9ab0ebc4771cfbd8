import * as z from "zod";
import type { FormatContext, ResultFormat } from "./shared/format.ts";
import { DataFileError } from "../../files/json/errors.ts";
import { WRITE_ROWS } from "./shared/foreign-file.ts";
import { isJsonList, isJsonObject } from "../../files/json-object.ts";
import type { JsonPeek } from "../../files/json/peek.ts";
import type { JsonValue } from "../../files/json/value.ts";
import type { SourceRow, SourceScore } from "../rows/source-row.ts";
import { recordList } from "./table/container-records.ts";
import { LEFT_OUT } from "./shared/ledger.ts";
import { metadataOf } from "./shared/row-metadata.ts";
import { ScoreKeys } from "./shared/scores.ts";
import { anyField, objectField, readShape, textField, type ShapePlace } from "./shared/shape.ts";

/** What evaluation jobs of Amazon Bedrock write: of models, one answer a line, or of retrieval, one conversation. */
export const bedrock: ResultFormat = {
  name: "bedrock",
  detect: ({ json }) => {
    const areTurns = json?.topKeys.includes(TURNS) === true && json.keysAt([TURNS]).includes("inputRecord");
    return areTurns || hasRecords(json, OF_MODELS) || hasRecords(json, OF_PEOPLE);
  },
  rows: function* (file, context) {
    if (hasRecords(file.json, OF_PEOPLE)) {
      // Answers of people are of many kinds: choices between two models, ranks, stars.
      const what = "the file contains what people answered in a Bedrock evaluation job, which has no single score";
      throw new DataFileError({ file: file.name }, what, { advice: WRITE_ROWS });
    }
    context.describeRun({ tool: "bedrock" });
    for (const { record, place } of recordList(file, context)) yield* rowsOf(record, place, context);
  },
};

const TURNS = "conversationTurns";

const OF_MODELS = "automatedEvaluationResult";
const OF_PEOPLE = "humanEvaluationResult";

function hasRecords(json: JsonPeek | undefined, result: string): boolean {
  return json !== undefined && [result, "inputRecord"].every((key) => json.topKeys.includes(key));
}

const SCORES = z
  .array(
    z.object({
      metricName: textField,
      result: anyField,
      evaluatorDetails: z.array(z.object({ explanation: textField }).register(LEFT_OUT, ["modelIdentifier"])).nullish(),
    }),
  )
  .nullish();
type Scores = z.infer<typeof SCORES>;

const RESPONSES = z.array(z.object({ response: anyField, modelIdentifier: textField })).nullish();

const LINE = z.object({
  automatedEvaluationResult: z.object({ scores: SCORES }).nullish(),
  inputRecord: z
    .object({ prompt: anyField, referenceResponse: anyField, category: anyField, modelResponses: RESPONSES })
    .nullish(),
  modelResponses: RESPONSES,
  conversationTurns: z
    .array(
      z.object({
        inputRecord: z.object({
          prompt: anyField,
          referenceResponses: z.array(anyField).nullish(),
          referenceContexts: anyField,
        }),
        output: objectField,
        results: SCORES,
      }),
    )
    .nullish(),
});
type Line = z.infer<typeof LINE>;

function rowsOf(value: JsonValue, place: ShapePlace, context: FormatContext): readonly SourceRow[] {
  const line = readShape(LINE, value, place, context);
  if (line === undefined) return [];
  for (const { inputRecord } of line.conversationTurns ?? []) {
    noteMessage("prompt", inputRecord.prompt, context);
    for (const reference of inputRecord.referenceResponses ?? []) noteMessage("referenceResponses", reference, context);
  }
  if (line.conversationTurns != null) return turnRows(line.conversationTurns, place);
  const { automatedEvaluationResult, inputRecord, modelResponses } = line;
  // Responses that were there before the job stand in the record.
  const responses = modelResponses ?? inputRecord?.modelResponses ?? [];
  const models = responses.flatMap(({ modelIdentifier }) => modelIdentifier ?? []);
  return [
    {
      place,
      inputs: plainText(inputRecord?.prompt),
      expected: expectedOf(inputRecord?.referenceResponse),
      outputs: responses.length > 1 ? responses.map(({ response = null }) => response) : responses[0]?.response,
      scores: scoresOf(automatedEvaluationResult?.scores),
      metadata: metadataOf(undefined, {
        category: inputRecord?.category,
        model: models.length > 1 ? models : models[0],
      }),
    },
  ];
}

function turnRows(turns: NonNullable<Line["conversationTurns"]>, place: ShapePlace): readonly SourceRow[] {
  return turns.map(({ inputRecord, output, results }, index) => {
    const input = plainText(inputRecord.prompt);
    const before = turns.slice(0, index).map(({ inputRecord: { prompt } }) => plainText(prompt) ?? null);
    const references = (inputRecord.referenceResponses ?? []).map((reference) => plainText(reference) ?? null);
    const { text, modelIdentifier, knowledgeBaseIdentifier, ...rest } = output ?? {};
    return {
      place,
      inputs: before.length === 0 ? input : { input: input ?? null, before },
      expected: references.length > 1 ? references : expectedOf(references[0]),
      outputs: text ?? output ?? undefined,
      scores: scoresOf(results),
      metadata: metadataOf(undefined, {
        model: modelIdentifier,
        knowledgeBase: knowledgeBaseIdentifier,
        referenceContexts: inputRecord.referenceContexts,
        // What was retrieved, beside the text that was made of it.
        ...(text === undefined ? {} : rest),
      }),
    };
  });
}

/** A metric that does not apply to an answer has a null and an explanation. */
function scoresOf(scores: Scores): readonly SourceScore[] {
  const keys = new ScoreKeys();
  return (scores ?? []).map(({ metricName, result, evaluatorDetails }) => {
    const said = (evaluatorDetails ?? []).flatMap(({ explanation }) => explanation ?? []);
    return {
      key: keys.next((metricName ?? "").replace(/^Builtin\./, "")),
      value: result,
      comment: said.length === 0 ? undefined : said.join("\n\n"),
      by: evaluatorDetails == null ? "code" : "model",
    };
  });
}

/** Cases without a reference may have an empty one. */
function expectedOf(reference: JsonValue | undefined): JsonValue | undefined {
  const text = plainText(reference);
  return text === "" ? undefined : text;
}

const MESSAGE = z.object({ content: z.array(z.object({ text: anyField })) });

/** What a message has beside its text, where only that is taken. */
function noteMessage(key: string, message: JsonValue | undefined, { ledger }: FormatContext): void {
  if (message === undefined || plainText(message) === message) return;
  ledger.look(MESSAGE, message, { level: `${TURNS}.inputRecord` }, key);
}

/** The text of a message, which may stand in parts; anything else as it is. */
function plainText(value: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(value) || !isJsonList(value["content"])) return value ?? undefined;
  const texts = value["content"].map((part) => (isJsonObject(part) ? part["text"] : undefined));
  return texts.every((text) => typeof text === "string") ? texts.join("\n") : value;
}
