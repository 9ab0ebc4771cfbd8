import type { DatasetKey } from "../../../src/experiments/events.ts";
import { countOf } from "../../../src/text/number.ts";
import type { UploadFacts } from "./ledger.ts";

/** The name of the only experiment, or how many there are; undefined before one is known. */
export function subjectOf({ planned, sent }: UploadFacts): string | undefined {
  const count = Math.max(planned.length, sent.length);
  return count > 1 ? countOf(count, "experiment") : (sent[0] ?? planned[0])?.name;
}

/** The dataset as the service knows it, and else as it was asked for. */
export function datasetOf({ sent, dataset }: UploadFacts): DatasetKey {
  const keys = [...sent.map((experiment) => experiment.dataset), ...(dataset === undefined ? [] : [dataset])];
  const isKnown = (text: string | undefined) => text !== undefined && text !== "";
  return { id: keys.map(({ id }) => id).find(isKnown), name: keys.map(({ name }) => name).find(isKnown) };
}
