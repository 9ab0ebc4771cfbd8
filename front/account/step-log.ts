import { retryText, type RetryNotice } from "../../src/http/retry.ts";
import { countText } from "../../src/text/number.ts";
import { bytesText } from "../../src/text/bytes.ts";
import type { ReadFile } from "../../src/experiments/events.ts";
import { follow, type EventTable } from "./event-table.ts";
import type { Block, Part } from "./part.ts";
import { Printer, type LogOptions, type RunKind } from "./printer.ts";
import { ReadingLines, UploadLines, type SentSoFar } from "./progress.ts";
import type { Reporter, WarningEvent } from "./reporters.ts";
import { ResultsLines } from "./results-lines.ts";

/** What a line of the log can be made from. */
export interface LogContext<Facts> {
  /** Those after the event. */
  readonly facts: Facts;
  readonly kind: RunKind;
  readonly print: Printer;
  readonly reading: ReadingLines;
  readonly results: ResultsLines;
  readonly upload: UploadLines;
}

type Said = Block | readonly Block[] | undefined;

/** What the log says of each event, one fact a line. */
export type LogTable<Event extends { readonly type: string }, Facts> = EventTable<
  Event | WarningEvent,
  LogContext<Facts>,
  Said
>;

/** What every log says of an event that many steps have. */
export const COMMON_LINES = {
  reading: ({ file, rows, milliseconds }: ReadingEvent, { reading }: LogContext<unknown>): undefined => {
    reading.soFar(file, rows, milliseconds);
  },
  "file-read": ({ file }: { readonly file: ReadFile }, { results }: LogContext<unknown>): undefined => {
    results.fileRead(file);
  },
  "upload-progress": (event: SentSoFar, { upload }: LogContext<unknown>): undefined => {
    upload.soFar(event);
  },
  uploaded: (
    event: { readonly bytes: number; readonly milliseconds: number },
    { upload }: LogContext<unknown>,
  ): undefined => {
    upload.done(event.bytes, event.milliseconds);
  },
  "request-written": ({ path, bytes }: { readonly path: string; readonly bytes: number }) => ({
    label: "Request",
    text: `written to ${path}, ${bytesText(bytes)}; nothing was sent`,
  }),
  retry: ({ notice }: { readonly notice: RetryNotice }) => ({ label: "Retry", text: retryText(notice) }),
  warning: ({ message }: WarningEvent) => ({ warning: message }),
  notice: ({ message }: { readonly message: string }) => ({ notice: message }),
};

interface ReadingEvent {
  readonly file: string;
  readonly rows: number;
  readonly milliseconds: number;
}

/** The log of a step: what its table says of each event, and last the account of the run. */
export class StepLog<Event extends { readonly type: string }, Facts> implements Reporter<Event> {
  readonly name = "log";
  readonly #print: Printer;
  readonly #table: LogTable<Event, Facts>;
  readonly #ending: (facts: Facts) => readonly Part[];
  readonly #context: () => LogContext<Facts>;

  constructor(
    options: LogOptions,
    facts: () => Facts,
    table: LogTable<Event, Facts>,
    ending: (facts: Facts) => readonly Part[],
  ) {
    const print = new Printer(options);
    const [reading, results, upload] = [new ReadingLines(print), new ResultsLines(print), new UploadLines(print)];
    this.#print = print;
    this.#table = table;
    this.#ending = ending;
    this.#context = () => ({ facts: facts(), kind: options, print, reading, results, upload });
    if (options.rehearsal === true) print.rehearsal();
  }

  report(event: Event | WarningEvent): void {
    const context = this.#context();
    this.#print.put([follow(this.#table, event, context) ?? []].flat());
    if (event.type === "ended") this.#end(this.#ending(context.facts));
  }

  /** Of a failure its one annotation and the list of its errors, then what else there is to say, and last what to do next. */
  #end(parts: readonly Part[]): void {
    const print = this.#print;
    const shown = parts.filter((part) => part.in.includes("log"));
    const failed = shown.find((part) => "failure" in part);
    const { title = "", sentence = "", advice = "", list, paste = [], stack = "" } = failed?.failure ?? {};
    if (failed !== undefined) print.error(title, sentence);
    if (list !== undefined) {
      const rest = list.more > 0 ? [[`and ${countText(list.more)} more`, ""] as const] : [];
      print.pairs([...list.faults, ...rest]);
    }
    print.put(shown.filter((part) => part !== failed));
    if (failed !== undefined && print.debug) print.group("Stack", stack.split("\n"));
    if (advice !== "") print.line("Next", advice);
    print.block(paste);
  }
}
