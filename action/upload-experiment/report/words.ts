import type { DatasetKey, SentExperiment } from "../../../src/experiments/events.ts";
import { countOf } from "../../../src/text/number.ts";
import { quoted } from "../../../src/text/quoted.ts";

/** ` in dataset support-regression`, or nothing where the service makes one up. */
export function inDataset({ id, name }: DatasetKey): string {
  const key = [name, id].find((text) => text !== undefined && text !== "");
  return key === undefined ? "" : ` in dataset ${key}`;
}

/** What a user should check after an upload whose response was lost. */
export function uncertainWarning({ name, rows }: SentExperiment): string {
  return (
    `The response to the upload of ${quoted(name)} was lost, and its name is taken now, most likely by this upload. ` +
    `Check the experiment of that name in the service: if it has ${countOf(rows, "row")} and the time of this run, ` +
    "the upload succeeded; if not, run again with another name."
  );
}
