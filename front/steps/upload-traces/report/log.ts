import { retryText } from "../../../../src/http/retry.ts";
import type { ReadTraceFile, TraceEvent, TracesRead, TraceSums } from "../../../../src/trace-files/events.ts";
import { bytesText } from "../../../../src/text/bytes.ts";
import { durationText } from "../../../../src/text/duration.ts";
import { countOf, countText } from "../../../../src/text/number.ts";
import { printFailure } from "../../../account/failure.ts";
import { Printer, type LogOptions } from "../../../account/printer.ts";
import { countRate, longReading, ReadingLines, UploadProgress } from "../../../account/progress.ts";
import type { Reporter } from "../../../account/reporters.ts";
import { NO_FILES } from "../../../account/upload-report.ts";
import type { TraceFacts } from "./facts.ts";
import { projectName, readingNotes, runItems, traceFailure, tracesAndRuns, uploadedText } from "./words.ts";

const MOST_FILES = 10;
const MOST_PROJECTS = 10;
// Several requests run at once, and a busy service answers each with a 429.
const MOST_RETRIES = 20;

type Event<Type extends TraceEvent["type"]> = Extract<TraceEvent, { type: Type }>;

/** The log of an upload: one fact a line, and progress while it takes long. */
export class Log implements Reporter<TraceEvent> {
  readonly name = "log";
  readonly #print: Printer;
  readonly #planLabel: string;
  readonly #facts: () => TraceFacts;
  readonly #reading: ReadingLines;
  readonly #progress = new UploadProgress();
  #retries = 0;

  /** `facts` are those after the event that is reported. */
  constructor(options: LogOptions, facts: () => TraceFacts) {
    this.#print = new Printer(options);
    this.#facts = facts;
    this.#planLabel = options.dryRun === true ? "Would go to" : "Project";
    this.#reading = new ReadingLines(this.#print);
    if (options.rehearsal === true) this.#print.rehearsal();
  }

  report(event: TraceEvent): void {
    switch (event.type) {
      case "reading":
        this.#reading.soFar(event.file, event.rows, event.milliseconds, "run");
        break;
      case "read":
        printTraces(this.#print, event.traces, event.milliseconds);
        printProjects(this.#print, this.#planLabel, event.traces.sums);
        break;
      case "request-written":
        this.#print.line("Request", `written to ${event.path}, ${bytesText(event.bytes)}; nothing was sent`);
        break;
      case "upload-progress":
        this.#sentSoFar(event);
        break;
      case "sent":
        this.#sent(event);
        break;
      case "retry":
        this.#retry(event);
        break;
      case "warning":
        this.#print.warning(event.message);
        break;
      case "ended":
        this.#ended(event);
        break;
      default:
        // Part of what the end prints.
        break;
    }
  }

  #sentSoFar({ sentRuns, totalRuns, milliseconds }: Event<"upload-progress">): void {
    if (!this.#progress.isDue(sentRuns, totalRuns, milliseconds)) return;
    const percent = String(Math.floor((100 * sentRuns) / totalRuns));
    const sent = `${countText(sentRuns)} of ${countOf(totalRuns, "run")}`;
    this.#print.line("Upload", `${percent} %, ${sent}, ${countRate(sentRuns, "run", milliseconds)}`);
  }

  #sent({ runs, sums, milliseconds }: Event<"sent">): void {
    const { read } = this.#facts();
    const total = read?.sums.runs ?? runs;
    if (read !== undefined && total === 0) {
      this.#print.line("Uploaded", `${uploadedText({ runs, traces: 0 }, read)}, ${durationText(milliseconds)}`);
      return;
    }
    // The failure has all facts.
    if (runs === 0) return;
    const of = runs === total ? countOf(runs, "run") : `${countText(runs)} of ${countOf(total, "run")}`;
    const traces = sums === undefined ? "" : ` in ${countOf(sums.traces, "trace")}`;
    this.#print.line("Uploaded", `${of}${traces}, ${durationText(milliseconds)}`);
  }

  #retry({ notice }: Event<"retry">): void {
    this.#retries += 1;
    if (this.#retries <= MOST_RETRIES) this.#print.line("Retry", retryText(notice));
    else if (this.#retries === MOST_RETRIES + 1) this.#print.line("Retry", "further retries are not shown");
  }

  #ended({ error, status }: Event<"ended">): void {
    if (status === "no-files") this.#print.line("Traces", NO_FILES);
    const { unsentPath } = this.#facts();
    if (error === undefined) return;
    printFailure(this.#print, traceFailure(error), () => {
      if (unsentPath !== undefined) this.#print.line("Unsent", unsentPath);
    });
  }
}

function printTraces(print: Printer, read: TracesRead, milliseconds: number): void {
  const { files, sums } = read;
  const lines = files.slice(0, MOST_FILES).map(fileText);
  const rest = files.length - lines.length;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  print.lines("Traces", [
    ...lines,
    ...(rest > 0 ? [`and ${countText(rest)} more`] : []),
    ...(files.length > 1 ? [`total ${tracesAndRuns(sums)}, ${bytesText(bytes)}`] : []),
    ...readingNotes(read),
    ...longReading(sums.runs, "run", milliseconds),
  ]);
  if (rest > 0) print.longGroup(`Files (${countText(files.length)})`, files.map(fileText));
  if (sums.runs > 0) print.items("Runs", runItems(sums));
}

function printProjects(print: Printer, label: string, { sessions }: TraceSums): void {
  const texts = sessions.map((session) => `${projectName(session)}: ${tracesAndRuns(session)}`);
  const rest = texts.length - MOST_PROJECTS;
  const more = rest > 0 ? [`and ${countOf(rest, "more project")}`] : [];
  print.lines(label, [...texts.slice(0, MOST_PROJECTS), ...more]);
  if (rest > 0) print.longGroup(`Projects (${countText(texts.length)})`, texts);
}

function fileText({ name, format, runs, size }: ReadTraceFile): string {
  return `${name}: ${format}, ${countOf(runs, "run")}, ${bytesText(size)}`;
}
