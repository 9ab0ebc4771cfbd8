import type { ReadTraceFile, TraceEvent, TracesRead, TraceSums } from "../../../../src/trace-files/events.ts";
import { bytesText } from "../../../../src/text/bytes.ts";
import { durationText } from "../../../../src/text/duration.ts";
import { countOf, countText } from "../../../../src/text/number.ts";
import { firstOf, longGroup, type Block } from "../../../account/part.ts";
import { longReading } from "../../../account/progress.ts";
import { COMMON_LINES, type LogTable } from "../../../account/step-log.ts";
import type { TraceFacts } from "./facts.ts";
import { projectName, readingNotes, runItems, tracesAndRuns, uploadedText } from "./words.ts";

export const LINES: LogTable<TraceEvent, TraceFacts> = {
  ...COMMON_LINES,
  reading: (event, { reading }) => reading.soFar(event, "run"),
  read: ({ traces, milliseconds }, { kind }) => [
    ...readLines(traces, milliseconds),
    ...projectLines(kind.dryRun === true ? "Would go to" : "Project", traces.sums),
  ],
  "upload-progress": ({ sentRuns, totalRuns, milliseconds }, { upload }) => {
    return upload.runsSoFar(sentRuns, totalRuns, milliseconds);
  },
  sent: ({ runs, sums, milliseconds }, { facts: { read } }) => {
    const total = read?.sums.runs ?? runs;
    const took = durationText(milliseconds);
    if (read && total === 0) {
      return { label: "Uploaded", text: `${uploadedText({ runs, traces: 0 }, read)}, ${took}` };
    }
    // The failure has all facts.
    if (runs === 0) return undefined;
    const of = runs === total ? countOf(runs, "run") : `${countText(runs)} of ${countOf(total, "run")}`;
    const traces = sums ? ` in ${countOf(sums.traces, "trace")}` : "";
    return { label: "Uploaded", text: `${of}${traces}, ${took}` };
  },
  retry: (event, { facts: { retries } }) => {
    if (retries <= MOST_RETRIES) return COMMON_LINES.retry(event);
    return retries === MOST_RETRIES + 1 ? { label: "Retry", text: "further retries are not shown" } : undefined;
  },
};

const MOST_FILES = 10;
const MOST_PROJECTS = 10;
// Several requests run at once, and a busy service answers each with a 429.
const MOST_RETRIES = 20;

function readLines(read: TracesRead, milliseconds: number): readonly Block[] {
  const { files, sums } = read;
  const texts = files.map(fileText);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return [
    {
      label: "Traces",
      lines: [
        ...firstOf(texts, MOST_FILES),
        ...(files.length > 1 ? [`total ${tracesAndRuns(sums)}, ${bytesText(bytes)}`] : []),
        ...readingNotes(read),
        ...longReading(sums.runs, "run", milliseconds),
      ],
    },
    ...(files.length > MOST_FILES ? [longGroup("Files", texts)] : []),
    ...(sums.runs > 0 ? [{ label: "Runs", items: runItems(sums) }] : []),
  ];
}

function projectLines(label: string, { sessions }: TraceSums): readonly Block[] {
  const texts = sessions.map((session) => `${projectName(session)}: ${tracesAndRuns(session)}`);
  return [
    { label, lines: firstOf(texts, MOST_PROJECTS, "project") },
    ...(texts.length > MOST_PROJECTS ? [longGroup("Projects", texts)] : []),
  ];
}

function fileText({ name, format, runs, size }: ReadTraceFile): string {
  return `${name}: ${format}, ${countOf(runs, "run")}, ${bytesText(size)}`;
}
