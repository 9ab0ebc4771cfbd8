import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod";
import { type ArgumentReading, flag, orLeftOut, type ShapesOf, somePath } from "./contract/call-arguments.ts";
import { shapesOf, withDefaults } from "./contract/options.ts";
import { setFields } from "./contract/set-fields.ts";
import { readDefinition, type Definition, type GivenDefinition } from "./evaluation/definition.ts";
import type { EvaluationRequest } from "./evaluation/evaluation.ts";
import { DEFINITION_OPTIONS, RUN_OPTIONS, type STRUCTURED } from "./evaluation/options.ts";
import { givenJson } from "./experiments/rows/given-json.ts";
import type { JsonValue } from "./files/json/value.ts";
import type { GivenEvaluationOptions } from "./given-evaluation-options.ts";
import { readGivenFiles } from "./given-files.ts";

/** What an agent is asked, and how its answers are scored. */
export interface Evaluation extends GivenEvaluationOptions {
  /** Path of a file such as `evaluation.yaml`, relative to the working directory; an argument beside it replaces its key. */
  readonly evaluation?: string | undefined;
  /** Path of the results to write, relative to the working directory. */
  readonly results: string;
  /** Looks at everything and begins no run. Default: `false`. */
  readonly dryRun?: boolean;
}

/** Results whose answers are scored again. */
export type KeptEvaluation = Pick<Evaluation, "evaluation" | "onAgentError" | "results" | "scorers">;

export const EvaluationShape = z.strictObject({
  ...shapesOf({ ...DEFINITION_OPTIONS, ...RUN_OPTIONS }),
  evaluation: somePath.optional(),
  results: somePath,
  dryRun: orLeftOut(flag),
} satisfies ShapesOf<Evaluation>);

export const KeptShape = EvaluationShape.pick({ evaluation: true, onAgentError: true, results: true, scorers: true });

/** The request of an evaluation. What is wrong with arguments whose shapes are right, and with the file, is added to `faults`. */
export async function readEvaluation(
  { value = { results: "" }, wrong }: ArgumentReading<z.infer<typeof EvaluationShape>>,
  workingDirectory: string,
  faults: string[],
): Promise<EvaluationRequest | undefined> {
  const { evaluation, results, dryRun = false, shard: part, ...given } = value;
  const { resume: _, revisionId: __, ...ofDefinition } = given;
  const { resume, revisionId } = withDefaults(RUN_OPTIONS, given);
  const definition = await readDefinitionOf(evaluation, ofDefinition, workingDirectory, faults);
  if (!definition) return undefined;
  const { dataset, ...how } = definition;
  if (dataset.path === "" && !wrong.has("dataset")) faults.push("`dataset` is missing");
  const files = dataset.path === "" ? [] : await readGivenFiles(dataset.path, workingDirectory, faults, "dataset");
  const [file] = files;
  const resultsPath = resolve(workingDirectory, results);
  if (file?.path === resultsPath) faults.push("`results` is the file of `dataset`, which would be replaced");
  if (files.length > 1) faults.push("`dataset` names several files; name one");
  return (
    file && {
      ...how,
      dataset: { ...dataset, file, shard: part === undefined ? undefined : RUN_OPTIONS.shard.parse(part).value },
      ...{
        resultsPath,
        resume,
        revisionId,
        dryRun,
        nonce: undefined,
        expected: { tokens: undefined, cost: undefined },
      },
    }
  );
}

/** What the file and the arguments beside it say together. What is wrong with it is added to `faults`. */
export async function readDefinitionOf(
  path: string | undefined,
  { input, run, scorers, prices, ...plain }: Partial<Record<keyof GivenDefinition, unknown>>,
  workingDirectory: string,
  faults: string[],
): Promise<Definition | undefined> {
  const file = resolve(workingDirectory, path ?? "");
  const text = path === undefined ? "" : await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) faults.push("`evaluation` cannot be read");
  const own = setFields({ ...plain, ...structuresOf({ input, run, scorers, prices }, faults) });
  const read = await readDefinition(text ?? "", own);
  faults.push(...read.ofFile.map((fault) => `\`evaluation\`: ${fault}`));
  faults.push(...read.faults.map(({ path: at, message }) => `\`${at.join(".")}\` ${message}`));
  return read.definition;
}

function structuresOf(
  given: Readonly<Record<keyof typeof STRUCTURED, unknown>>,
  faults: string[],
): Pick<GivenDefinition, keyof typeof STRUCTURED> {
  const read: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const json = givenJson(value, { file: name });
    if (json.fault === undefined) read[name] = json.value;
    else faults.push(`\`${name}\` ${json.fault}`);
  }
  return read;
}
