import type { FormatContext, ResultFormat } from "./shared/format.ts";
import { DataFileError } from "../../files/json/errors.ts";
import { WRITE_ROWS } from "./shared/foreign-file.ts";
import { isJsonList, isJsonObject, type JsonValue } from "../../files/json/value.ts";
import type { JsonPeek } from "../../files/json/peek.ts";
import type { SourceRow, SourceScore } from "../rows/source-row.ts";
import { recordList } from "./table/container-records.ts";
import { Fields } from "./shared/fields.ts";
import { distinctScores, factsOf } from "./shared/tool-values.ts";

/** What evaluation jobs of Amazon Bedrock write: of models, one answer a line, or of retrieval, one conversation. */
export const bedrock: ResultFormat = {
  tool: "bedrock",
  detect: ({ json }) => {
    const areTurns = json.topKeys.includes(TURNS) && json.keysAt([TURNS]).includes("inputRecord");
    return areTurns || hasRecords(json, OF_MODELS) || hasRecords(json, OF_PEOPLE);
  },
  rows: function* (file, context) {
    if (hasRecords(file.json, OF_PEOPLE)) {
      // Answers of people are of many kinds: choices between two models, ranks, stars.
      const what = "the file contains what people answered in a Bedrock evaluation job, which has no single score";
      throw new DataFileError({ file: file.name }, what, { advice: WRITE_ROWS });
    }
    for (const { record, place } of recordList(file, context)) {
      const line = Fields.of(record, place, context);
      const [row, turns] = [modelRow(line), turnRows(line, context)];
      if (line.end()) yield* line.given(TURNS) === undefined ? [row] : turns;
    }
  },
};

const TURNS = "conversationTurns";

const OF_MODELS = "automatedEvaluationResult";
const OF_PEOPLE = "humanEvaluationResult";

function hasRecords(json: JsonPeek, result: string): boolean {
  return [result, "inputRecord"].every((key) => json.topKeys.includes(key));
}

function modelRow(line: Fields): SourceRow {
  const record = line.object("inputRecord");
  // Responses that were there before the job stand in the record.
  const [before, after] = [record.list(RESPONSES), line.list(RESPONSES)];
  const responses = line.given(RESPONSES) === undefined ? before : after;
  const outputs = responses.map((response) => response.value("response"));
  const models = responses.flatMap((response) => response.text("modelIdentifier") ?? []);
  return {
    place: line.place,
    inputs: plainText(record.value("prompt")),
    expected: expectedOf(record.value("referenceResponse")),
    outputs: outputs.length > 1 ? outputs.map((output = null) => output) : outputs[0],
    scores: scoresOf(line.object(OF_MODELS).list("scores")),
    metadata: factsOf({
      category: record.value("category"),
      model: models.length > 1 ? models : models[0],
    }),
  };
}

const RESPONSES = "modelResponses";

function turnRows(line: Fields, context: FormatContext): readonly SourceRow[] {
  const before: JsonValue[] = [];
  return line.list(TURNS).map((turn) => {
    const record = turn.someObject("inputRecord");
    const input = messageText("prompt", record.value("prompt"), context);
    const references = record
      .values("referenceResponses")
      .map((reference) => messageText("referenceResponses", reference, context) ?? null);
    const output = turn.record("output");
    const { text, modelIdentifier, knowledgeBaseIdentifier, ...rest } = output ?? {};
    const row = {
      place: line.place,
      inputs: before.length === 0 ? input : { input: input ?? null, before: [...before] },
      expected: references.length > 1 ? references : expectedOf(references[0]),
      outputs: text ?? output,
      scores: scoresOf(turn.list("results")),
      metadata: factsOf({
        model: modelIdentifier,
        knowledgeBase: knowledgeBaseIdentifier,
        referenceContexts: record.value("referenceContexts"),
        // What was retrieved, beside the text that was made of it.
        ...(text === undefined ? {} : rest),
      }),
    };
    before.push(input ?? null);
    return row;
  });
}

/** A metric that does not apply to an answer has a null and an explanation. */
function scoresOf(scores: readonly Fields[]): readonly SourceScore[] {
  const read = scores.map((score): SourceScore => {
    const said = score
      .list("evaluatorDetails", ["modelIdentifier"])
      .flatMap((details) => details.text("explanation") ?? []);
    return {
      key: (score.text("metricName") ?? "").replace(/^Builtin\./, ""),
      value: score.value("result"),
      comment: said.length === 0 ? undefined : said.join("\n\n"),
      by: score.given("evaluatorDetails") === undefined ? "code" : "model",
    };
  });
  return distinctScores(read);
}

/** Cases without a reference may have an empty one. */
function expectedOf(reference: JsonValue | undefined): JsonValue | undefined {
  const text = plainText(reference);
  return text === "" ? undefined : text;
}

/** The text of a message; what the message has beside it, is not read. */
function messageText(key: string, message: JsonValue | undefined, context: FormatContext): JsonValue | undefined {
  const text = plainText(message);
  if (!isJsonObject(message) || text === message) return text;
  const read = Fields.of(message, { file: "", level: `${TURNS}.inputRecord.${key}` }, context);
  for (const part of read.list("content")) part.value("text");
  read.end();
  return text;
}

/** The text of a message, which may stand in parts; anything else as it is. */
function plainText(value: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(value) || !isJsonList(value["content"])) return value ?? undefined;
  const texts = value["content"].map((part) => (isJsonObject(part) ? part["text"] : undefined));
  return texts.every((text) => typeof text === "string") ? texts.join("\n") : value;
}
