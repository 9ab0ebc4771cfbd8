import { listed, quotedName } from "../../../text/quoted.ts";
import type { NotedColumn, SeenColumn } from "../../rows/columns.ts";
import { ColumnsError } from "../../errors.ts";
import { MEASURE_OF_PART, wordsIn } from "./column-names.ts";
import { mappingLines, provenRole } from "./mapping-proposal.ts";

/**
 * Refuses a table with the outputs of several models side by side, with a mapping for each: an experiment is of one.
 */
export function refuseSideBySide(file: string, columns: readonly SeenColumn[]): void {
  const models = modelsOf(columns);
  const [first, ...others] = models;
  if (!first) return;
  const outputs = models.map(({ output }) => quotedName(output.name));
  const fault = `${listed(outputs, { conjunction: "and", most: 5 })} look like the outputs of ${String(models.length)} models side by side; an experiment has the outputs of one`;
  const advice =
    "Upload the file once for each, with its mapping; or map all of them as keys of `outputs`, if they are parts of one output.";
  const mapping = [
    `# for ${first.name}`,
    ...linesOf(first, models, columns),
    ...others.flatMap((model) => [
      `# for ${model.name}`,
      ...linesOf(model, models, columns).map((line) => `# ${line}`),
    ]),
  ];
  throw new ColumnsError({ file }, fault, { advice, mapping });
}

/** One of the models, by what its columns have in their names and others have not. */
interface Model {
  readonly name: string;
  readonly output: SeenColumn;
  /** Its numbers, by what is left of their names. */
  readonly scores: ReadonlyMap<string, SeenColumn>;
}

const OUTPUT_WORDS = ["output", "outputs", "answer", "response", "completion", "prediction", "generation"];
/** What may stand in such a name without distinguishing one model from another. */
const FILLING: ReadonlySet<string> = new Set(["model", "actual", "final"]);
const NO_MODELS = /^(?:expected|reference|gold|golden|target|ideal|correct|true|truth|ground_truth|label)(?:_|$)/;
/** Names of models, and words that distinguish two of them. */
const MODEL_NAME =
  /^(?:[a-e]|\d{1,2}|v\d+|base|baseline|candidate|control|treatment|old|new|before|after|left|right|tuned|finetuned|champion|challenger|(?:gpt|chatgpt|claude|sonnet|opus|haiku|gemini|gemma|llama|mistral|mixtral|qwen|deepseek|phi|grok|o\d).*)$/;

function modelsOf(columns: readonly SeenColumn[]): readonly Model[] {
  const rests = columns.map((column) => {
    const words = wordsIn(column.name);
    const telling = words.filter((word) => !FILLING.has(word));
    return { column, words: telling.length > 1 ? telling : words };
  });
  for (const word of OUTPUT_WORDS) {
    const outputs = rests.flatMap(({ column, words }) => {
      const name = without(words, [word]);
      return name === undefined || isNoModel(name) ? [] : [{ name, column }];
    });
    const names = new Set(outputs.map(({ name }) => name));
    const isOther = columns.some(
      (column) => column.role?.part === "outputs" && !outputs.some((output) => output.column === column),
    );
    if (names.size < 2 || names.size !== outputs.length || isOther) continue;
    const models = outputs.map(({ name, column: output }) => {
      const scores = rests.flatMap(({ column, words }): [string, SeenColumn][] => {
        const base = provenRole(column)?.part === "score" ? without(words, name.split("_")) : undefined;
        return base === undefined ? [] : [[base, column]];
      });
      return { name, output, scores: new Map(scores) };
    });
    // What is left of the names of all columns of a model, and of those of each other one.
    const [bases = [], ...others] = models.map(({ name }) => {
      return rests.flatMap(({ words }) => without(words, name.split("_")) ?? []);
    });
    const shared = bases.filter(
      (base) => !OUTPUT_WORDS.includes(base) && others.every((other) => other.includes(base)),
    );
    // What is expected of each, too, makes them parts of one output.
    if (shared.some((base) => isNoModel(base))) continue;
    const areScored = models.every(({ scores }) => shared.some((base) => scores.has(base)));
    if (areScored || models.every(({ name }) => MODEL_NAME.test(name))) return models;
  }
  return [];
}

function isNoModel(name: string): boolean {
  return NO_MODELS.test(name) || MEASURE_OF_PART.test(name);
}

/** What is left of a name before or behind these words, which stand at one of its ends. */
function without(words: readonly string[], part: readonly string[]): string | undefined {
  const rest = words.length - part.length;
  if (rest < 1) return undefined;
  if (part.every((word, at) => words[at] === word)) return words.slice(part.length).join("_");
  return part.every((word, at) => words[rest + at] === word) ? words.slice(0, rest).join("_") : undefined;
}

/** The mapping of one model: its own columns, and those that belong to none. */
function linesOf(model: Model, models: readonly Model[], columns: readonly SeenColumn[]): readonly string[] {
  const owned = new Set(models.flatMap(({ output, scores }) => [output, ...scores.values()]).map(({ name }) => name));
  const common = columns.flatMap(({ name, role }): NotedColumn | [] => {
    return role && provenRole({ name, role }) && !owned.has(name) ? { name, role } : [];
  });
  const scores = [...model.scores].map(([key, { name }]): NotedColumn => ({ name, role: { part: "score", key } }));
  const output: NotedColumn = { name: model.output.name, role: { part: "outputs", key: undefined } };
  return mappingLines([...common, output, ...scores], []);
}
