import type { DatasetKey, ExperimentEvent, ResultsRead } from "../../../../src/experiments/events.ts";
import { durationText } from "../../../../src/text/duration.ts";
import { countOf, countText } from "../../../../src/text/number.ts";
import { printable, shortened } from "../../../../src/text/quoted.ts";
import { withoutFullStop } from "../../../../src/text/reasons.ts";
import { firstOf, longGroup, type Block } from "../../../account/part.ts";
import { readLines, rowRemarks, rowsAndSize, scoreText } from "../../../account/results-words.ts";
import { COMMON_LINES, type LogContext, type LogTable } from "../../../account/step-log.ts";
import type { UploadFacts } from "./facts.ts";

export const LINES: LogTable<ExperimentEvent, UploadFacts> = {
  ...COMMON_LINES,
  read: ({ results, milliseconds }) => [...readLines(results, milliseconds), ...scoreLines(results)],
  planned: plannedLines,
  "upload-progress": (event, { upload, facts }) => upload.soFar(event, isSplit(facts) ? event.name : undefined),
  "name-taken": ({ name, next }) => ({ label: "Name taken", text: `${name} already exists; trying ${next}` }),
  searched: ({ name, reason }) => ({
    label: "Unclear",
    text: `${withoutFullStop(reason)}; looking for ${name} in the service`,
  }),
  sent: sentLines,
};

const MOST_SCORES = 30;
const MOST_PARTS = 10;

type Event<Type extends ExperimentEvent["type"]> = Extract<ExperimentEvent, { type: Type }>;

function isSplit({ planned }: UploadFacts): boolean {
  return planned.length > 1;
}

function scoreLines(results: ResultsRead): readonly Block[] {
  const { parts } = results;
  if (!parts) return scoreLinesOf(results, "Scores");
  const rest = parts.length - MOST_PARTS;
  return [
    ...parts
      .slice(0, MOST_PARTS)
      .flatMap(({ value, results: part }) => scoreLinesOf(part, `Scores (${printable(shortened(value))})`)),
    ...(rest > 0 ? [{ label: "Scores", text: `and those of ${countOf(rest, "more experiment")}` }] : []),
  ];
}

function scoreLinesOf(results: ResultsRead, label: string): readonly Block[] {
  const { scores, words, latency } = results;
  const inWords = [...words].map(([key, n]) => `${key} in words (${countText(n)})`);
  const texts = [...[...scores].map(([key, summary]) => scoreText(key, summary)), ...inWords];
  const items = [
    ...firstOf(texts, MOST_SCORES, "score"),
    ...(texts.length === 0 ? ["none"] : []),
    ...(latency ? [`latency p95 ${durationText(latency.p95)}`] : []),
    ...rowRemarks(results),
  ];
  return [{ label, items }, ...(texts.length > MOST_SCORES ? [longGroup(label, texts)] : [])];
}

function plannedLines(
  { experiments, dataset }: Event<"planned">,
  { facts: { results }, kind }: LogContext<UploadFacts>,
): Block {
  const label = kind.dryRun === true ? "Would upload" : "Experiment";
  const [first] = experiments;
  if (experiments.length < 2) return { label, text: `${first?.name ?? "none"}${inDataset(dataset)}` };
  const parts = experiments.map(({ name, rows, bytes }) => `${name}: ${rowsAndSize(rows, bytes)}`);
  const count = countOf(experiments.length, results?.parts ? "experiment" : "part");
  return { label, lines: [`${count}${inDataset(dataset)}`, ...firstOf(parts, MOST_PARTS)] };
}

/** ` in dataset support-regression`, or nothing where the service makes one up. */
function inDataset({ id, name }: DatasetKey): string {
  const key = [name, id].find((text) => text !== undefined && text !== "");
  return key === undefined ? "" : ` in dataset ${key}`;
}

function sentLines(
  { experiment, milliseconds }: Event<"sent">,
  { facts, upload }: LogContext<UploadFacts>,
): readonly Block[] {
  const { name, bytes, id, wasSent, page } = experiment;
  const isPlanned = facts.planned.some((planned) => planned.name === name);
  return [
    wasSent
      ? upload.done(bytes, milliseconds, isSplit(facts) || !isPlanned ? name : undefined)
      : { label: "Uploaded", text: `${name} by an earlier attempt of this run; nothing was sent` },
    ...(id === undefined ? [{ label: "Id", text: `not known: the service accepted ${name} without its id` }] : []),
    ...(page === undefined ? [] : [{ label: "Page", text: page }]),
  ];
}
