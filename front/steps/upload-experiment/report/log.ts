import type { ExperimentEvent, ResultsRead } from "../../../../src/experiments/events.ts";
import { retryText } from "../../../../src/http/retry.ts";
import { bytesText } from "../../../../src/text/bytes.ts";
import { durationText } from "../../../../src/text/duration.ts";
import { countOf, countText } from "../../../../src/text/number.ts";
import { printable, shortened } from "../../../../src/text/quoted.ts";
import { withoutFullStop } from "../../../../src/text/reasons.ts";
import { printFailure } from "../../../account/failure.ts";
import { Printer, type LogOptions } from "../../../account/printer.ts";
import { UploadLines } from "../../../account/progress.ts";
import type { Reporter } from "../../../account/reporters.ts";
import { ResultsLines } from "../../../account/results-lines.ts";
import { rowRemarks, rowsAndSize, scoreText } from "../../../account/results-words.ts";
import { NO_FILES } from "../../../account/upload-report.ts";
import type { UploadFacts } from "./facts.ts";
import { keptText, uploadFailure } from "./failure.ts";
import { inDataset } from "./words.ts";

const MOST_SCORES = 30;
const MOST_PARTS = 10;

type Event<Type extends ExperimentEvent["type"]> = Extract<ExperimentEvent, { type: Type }>;

/** The log of an upload: one fact a line, and lines that show that a wait lives. */
export class Log implements Reporter<ExperimentEvent> {
  readonly name = "log";
  readonly #print: Printer;
  readonly #planLabel: string;
  readonly #facts: () => UploadFacts;
  readonly #results: ResultsLines;
  readonly #upload: UploadLines;

  /** `facts` are those after the event that is reported. */
  constructor(options: LogOptions, facts: () => UploadFacts) {
    this.#print = new Printer(options);
    this.#facts = facts;
    this.#planLabel = options.dryRun === true ? "Would upload" : "Experiment";
    this.#results = new ResultsLines(this.#print);
    this.#upload = new UploadLines(this.#print);
    if (options.rehearsal === true) this.#print.rehearsal();
  }

  report(event: ExperimentEvent): void {
    switch (event.type) {
      case "reading":
        this.#results.soFar(event.file, event.rows, event.milliseconds);
        break;
      case "file-read":
        this.#results.fileRead(event.file);
        break;
      case "read":
        this.#results.read(event.results, event.milliseconds);
        this.#scores(event);
        break;
      case "planned":
        this.#planned(event);
        break;
      case "request-written":
        this.#print.line("Request", `written to ${event.path}, ${bytesText(event.bytes)}; nothing was sent`);
        break;
      case "upload-progress":
        this.#upload.soFar(event, this.#isSplit ? event.name : undefined);
        break;
      case "name-taken":
        this.#print.line("Name taken", `${event.name} already exists; trying ${event.next}`);
        break;
      case "searched":
        this.#print.line("Unclear", `${withoutFullStop(event.reason)}; looking for ${event.name} in the service`);
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
        this.#ended();
        break;
    }
  }

  get #isSplit(): boolean {
    return this.#facts().planned.length > 1;
  }

  #scores({ results }: Event<"read">): void {
    if (results.parts === undefined) {
      this.#scoresOf(results, "Scores");
      return;
    }
    for (const { value, results: part } of results.parts.slice(0, MOST_PARTS)) {
      this.#scoresOf(part, `Scores (${printable(shortened(value))})`);
    }
    const rest = results.parts.length - MOST_PARTS;
    if (rest > 0) this.#print.line("Scores", `and those of ${countOf(rest, "more experiment")}`);
  }

  #scoresOf(results: ResultsRead, label: string): void {
    const { scores, words, latency } = results;
    const inWords = [...words].map(([key, n]) => `${key} in words (${countText(n)})`);
    const texts = [...[...scores].map(([key, summary]) => scoreText(key, summary)), ...inWords];
    const rest = texts.length - MOST_SCORES;
    this.#print.items(label, [
      ...texts.slice(0, MOST_SCORES),
      ...(rest > 0 ? [`and ${countOf(rest, "more score")}`] : []),
      ...(texts.length === 0 ? ["none"] : []),
      ...(latency === undefined ? [] : [`latency p95 ${durationText(latency.p95)}`]),
      ...rowRemarks(results),
    ]);
    if (rest > 0) this.#print.longGroup(`${label} (${countText(texts.length)})`, texts);
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
      `${countOf(experiments.length, this.#facts().results?.parts === undefined ? "part" : "experiment")}${inDataset(dataset)}`,
      ...parts,
      ...(rest > 0 ? [`and ${countText(rest)} more`] : []),
    ]);
  }

  #sent({ experiment, milliseconds }: Event<"sent">): void {
    const { name, bytes, id, wasSent, page } = experiment;
    const isPlanned = this.#facts().planned.some((planned) => planned.name === name);
    if (wasSent) this.#upload.done(bytes, milliseconds, this.#isSplit || !isPlanned ? name : undefined);
    else this.#print.line("Uploaded", `${name} by an earlier attempt of this run; nothing was sent`);
    if (id === undefined) this.#print.line("Id", `not known: the service accepted ${name} without its id`);
    if (page !== undefined) this.#print.line("Page", page);
  }

  /** A failure with what is stored in spite of it. A success has said all there is to say already. */
  #ended(): void {
    const facts = this.#facts();
    const { ended, written } = facts;
    if (ended?.error !== undefined) {
      printFailure(this.#print, uploadFailure(ended.error), () => {
        const kept = keptText(facts);
        if (kept !== "") this.#print.line("Uploaded", kept);
      });
    } else if (ended?.status === "dry-run" && written.length === 0) {
      this.#print.sentence("Nothing was sent.");
    } else if (ended?.status === "no-files") {
      this.#print.line("Results", NO_FILES);
    }
  }
}
