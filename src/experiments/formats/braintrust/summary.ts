import * as z from "zod";
import type { FormatContext } from "../shared/format.ts";
import { isJsonObject } from "../../../files/json-object.ts";
import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import type { SourceScore } from "../../rows/source-row.ts";
import { knownRun } from "../shared/known-run.ts";
import { metadataOf } from "../shared/row-metadata.ts";
import { anyField, objectField, readShape, textField, type ShapePlace } from "../shared/shape.ts";

/** True for the keys of a summary of an experiment, as JavaScript, Python and Go write them. */
export function isSummary(keys: readonly string[]): boolean {
  const names = new Set(keys.map(plainName));
  return ["projectname", "experimentname", "scores"].every((name) => names.has(name));
}

/** `experimentName`, `experiment_name` and `ExperimentName` are one name. */
function plainName(key: string): string {
  return key.replaceAll("_", "").toLowerCase();
}

function withPlainNames(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [plainName(key), part]));
}

const SUMMARY = z.object({
  projectname: textField,
  experimentname: textField,
  projecturl: textField,
  experimenturl: textField,
  comparisonexperimentname: textField,
  scores: objectField,
  metrics: objectField,
});

const SCORE = z.object({ score: anyField });

/** Tells the summaries of a file, one for each experiment that the tool ran. */
export class BraintrustSummaries {
  readonly #context: FormatContext;
  readonly #scores: SourceScore[] = [];
  #names = new Set<string>();

  constructor(context: FormatContext) {
    this.#context = context;
  }

  /** Reads a summary; what is wrong with it is told as a fault. */
  add(value: JsonValue, place: ShapePlace): void {
    const summary = readShape(SUMMARY, isJsonObject(value) ? withPlainNames(value) : value, place, this.#context);
    if (summary === undefined) return;
    for (const [key, score] of Object.entries(summary.scores ?? {})) {
      const path = [...(place.path === undefined ? [] : [place.path]), "scores"].join(".");
      const read = readShape(
        SCORE,
        isJsonObject(score) ? withPlainNames(score) : score,
        { ...place, path },
        this.#context,
      );
      if (read !== undefined) this.#scores.push({ key, value: read.score });
    }
    this.#name(summary.experimentname ?? "", place);
    this.#context.tell(
      knownRun({
        summaryScores: this.#scores,
        metadata: metadataOf(undefined, {
          experiment: summary.experimentname,
          project: summary.projectname,
          project_url: summary.projecturl,
          experiment_url: summary.experimenturl,
          comparison_experiment: summary.comparisonexperimentname,
          metrics: summary.metrics,
        }),
      }),
    );
  }

  #name(name: string, { file }: ShapePlace): void {
    const before = this.#names.size;
    this.#names.add(name);
    if (before !== 1 || this.#names.size !== 2) return;
    this.#context.warn(`${file} has the summaries of several experiments, which become those of one.`);
  }
}
