import { retryText } from "../../../src/http/retry.ts";
import type { TraceEvent } from "../../../src/trace-files/events.ts";
import { bytesText } from "../../../src/text/bytes.ts";
import { durationText } from "../../../src/text/duration.ts";
import { countOf, countText } from "../../../src/text/number.ts";
import { printFailure } from "../../report/failure.ts";
import { Printer, type LogOptions } from "../../report/printer.ts";
import { countRate, ReadingLines, UploadProgress } from "../../report/progress.ts";
import type { Reporter } from "../../report/reporters.ts";
import { NO_FILES } from "../../report/upload-report.ts";
import type { TraceFacts } from "./facts.ts";
import { traceFailure } from "./failure.ts";
import { uploadedText } from "./trace-words.ts";
import { printSessions, printTraces } from "./traces-section.ts";

// Many batches are on their way at once, and a service that is busy says so to each.
const MOST_RETRIES = 20;

type Event<Type extends TraceEvent["type"]> = Extract<TraceEvent, { type: Type }>;

/** The log of an upload: one fact a line, and lines that show that a wait lives. */
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
    this.#planLabel = options.dryRun === true ? "Would go to" : "Session";
    this.#reading = new ReadingLines(this.#print, "run");
    if (options.rehearsal === true) this.#print.rehearsal();
  }

  report(event: TraceEvent): void {
    switch (event.type) {
      case "reading":
        this.#reading.soFar(event.file, event.rows, event.milliseconds);
        break;
      case "read":
        printTraces(this.#print, event.traces, event.milliseconds);
        printSessions(this.#print, this.#planLabel, event.traces.sums);
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
        // What the end tells.
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
    // The failure says all there is to say.
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
