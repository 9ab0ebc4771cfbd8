import type { ExperimentEvent } from "../../../src/experiments/events.ts";
import { countOf, countText } from "../../../src/text/number.ts";
import { Printer, type PrinterOptions } from "../../report/printer.ts";
import { printRehearsal } from "../../report/rehearsal-line.ts";
import type { Reporter } from "../../report/reporters.ts";
import { retryText } from "../../../src/http/retry.ts";
import { UploadLines } from "../../report/upload-lines.ts";
import { printEnding, printWritten } from "./ending-section.ts";
import { inDataset, rowsAndSize, uncertainWarning } from "./experiment-words.ts";
import { Ledger } from "./ledger.ts";
import { ReadingProgress } from "../../report/reading-progress.ts";
import { readingText } from "../../report/reading-text.ts";
import { MOST_FILES, printFile, printResults, printScores } from "./results-section.ts";

const MOST_PARTS = 10;

/** Where the log goes, and what it should know of the run. */
export interface LogOptions extends PrinterOptions {
  /** Nothing will be sent. */
  readonly dryRun?: boolean | undefined;
  /** The service is the embedded one. */
  readonly rehearsal?: boolean | undefined;
}

type Event<Type extends ExperimentEvent["type"]> = Extract<ExperimentEvent, { type: Type }>;

/** The log of an upload: one fact a line, and lines that show that a wait lives. */
export class Log implements Reporter<ExperimentEvent> {
  readonly name = "log";
  readonly #print: Printer;
  readonly #planLabel: string;
  readonly #ledger = new Ledger();
  readonly #reading = new ReadingProgress();
  readonly #upload: UploadLines;
  #files = 0;

  constructor(options: LogOptions) {
    this.#print = new Printer(options);
    this.#planLabel = options.dryRun === true ? "Would upload" : "Experiment";
    this.#upload = new UploadLines(this.#print);
    if (options.rehearsal === true) printRehearsal(this.#print);
  }

  report(event: ExperimentEvent): void {
    this.#ledger.report(event);
    switch (event.type) {
      case "reading":
        this.#readingSoFar(event);
        break;
      case "file-read":
        this.#files += 1;
        if (this.#files <= MOST_FILES) printFile(this.#print, event.file);
        break;
      case "read":
        printResults(this.#print, event.results, event.milliseconds);
        printScores(this.#print, event.results);
        break;
      case "planned":
        this.#planned(event);
        break;
      case "request-written":
        printWritten(this.#print, event);
        break;
      case "upload-progress":
        this.#upload.soFar(event, this.#isSplit ? event.name : undefined);
        break;
      case "name-taken":
        this.#print.line("Name taken", `${event.name} is there already; trying ${event.next}`);
        break;
      case "sent":
        this.#sent(event);
        break;
      case "retry":
        this.#print.line("Retry", retryText(event.notice));
        break;
      case "warning":
        this.#print.warning(event.message);
        break;
      case "ended":
        printEnding(this.#print, this.#ledger.facts);
        break;
    }
  }

  get #isSplit(): boolean {
    return this.#ledger.facts.planned.length > 1;
  }

  #readingSoFar({ file, rows, milliseconds }: Event<"reading">): void {
    if (!this.#reading.isDue(file, milliseconds)) return;
    this.#print.line("Reading", `${file}: ${readingText(rows, "row", milliseconds)}`);
  }

  #planned({ experiments, dataset }: Event<"planned">): void {
    const [first] = experiments;
    if (experiments.length < 2) {
      this.#print.line(this.#planLabel, `${first?.name ?? "none"}${inDataset(dataset)}`);
      return;
    }
    const parts = experiments
      .slice(0, MOST_PARTS)
      .map(({ name, rows, bytes }) => `${name}: ${rowsAndSize(rows, bytes)}`);
    const rest = experiments.length - parts.length;
    this.#print.lines(this.#planLabel, [
      `${countOf(experiments.length, "part")}${inDataset(dataset)}`,
      ...parts,
      ...(rest > 0 ? [`and ${countText(rest)} more`] : []),
    ]);
  }

  #sent({ experiment, milliseconds }: Event<"sent">): void {
    const { name, bytes, status, page } = experiment;
    const isPlanned = this.#ledger.facts.planned.some((planned) => planned.name === name);
    if (status === "uncertain") this.#print.warning(uncertainWarning(experiment));
    else this.#upload.done(bytes, milliseconds, this.#isSplit || !isPlanned ? name : undefined);
    if (page !== undefined) this.#print.line("Page", page);
  }
}
