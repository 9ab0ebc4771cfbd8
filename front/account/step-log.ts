import type { DeployEvent } from "../../src/deployment/events.ts";
import type { ExperimentEvent } from "../../src/experiments/events.ts";
import { retryText } from "../../src/http/retry.ts";
import { countText } from "../../src/text/number.ts";
import { bytesText } from "../../src/text/bytes.ts";
import type { ForeignText } from "../../src/text/foreign-text.ts";
import { follow, type EventTable } from "./event-table.ts";
import type { Account, Block, Part, RunFacts, RunKind } from "./part.ts";
import { MarkdownPen } from "./markdown-pen.ts";
import { Printer, type PrinterOptions } from "./printer.ts";
import { ReadingLines, UploadLines } from "./progress.ts";
import type { Reporter, WarningEvent } from "./reporters.ts";
import { fileLine } from "./results-words.ts";

export interface LogContext<Facts> {
  /** Those after the event. */
  readonly facts: Facts;
  readonly kind: RunKind;
  readonly text: ForeignText;
  readonly reading: ReadingLines;
  readonly upload: UploadLines;
}

type Said = Block | readonly Block[] | undefined;

/** What the log says of each event, one fact a line. */
export type LogTable<Event extends { readonly type: string }, Facts> = EventTable<
  Event | WarningEvent,
  LogContext<Facts>,
  Said
>;

type CommonEvent =
  | Extract<ExperimentEvent, { readonly type: "file-read" | "reading" | "request-written" }>
  | Extract<DeployEvent, { readonly type: "retry" | "upload-progress" | "uploaded" }>
  | { readonly type: "notice"; readonly message: string };

/** What every log says of an event that many steps have. */
export const COMMON_LINES = {
  reading: (event, { reading }) => reading.soFar(event),
  "file-read": ({ file }, { reading }) => fileLine(file, reading.fileRead()),
  "upload-progress": (event, { upload }) => upload.soFar(event),
  uploaded: ({ bytes, milliseconds }, { upload }) => upload.done(bytes, milliseconds),
  "request-written": ({ path, bytes }) => {
    return { label: "Request", text: `written to ${path}, ${bytesText(bytes)}; nothing was sent` };
  },
  retry: ({ notice }) => ({ label: "Retry", text: retryText(notice) }),
  warning: ({ message }) => ({ warning: message }),
  notice: ({ message }) => ({ notice: message }),
} satisfies LogTable<CommonEvent, unknown>;

interface Logged<Event extends { readonly type: string }, Facts> {
  readonly lines: LogTable<Event, Facts>;
  readonly account: Account<Facts>;
}

export interface LogOptions extends PrinterOptions, RunKind {
  readonly debug?: boolean;
}

/** The log of a step: what its table says of each event, and last the account of the run. */
export class StepLog<Event extends { readonly type: string }, Facts extends RunFacts> implements Reporter<Event> {
  readonly name = "log";
  readonly #print: Printer;
  readonly #logged: Logged<Event, Facts>;
  readonly #options: LogOptions;
  readonly #context: () => LogContext<Facts>;

  /** `facts` are those after the event that is reported. */
  constructor(logged: Logged<Event, Facts>, options: LogOptions, facts: () => Facts) {
    const print = new Printer(options);
    const [reading, upload] = [new ReadingLines(), new UploadLines()];
    this.#print = print;
    this.#logged = logged;
    this.#options = options;
    this.#context = () => ({ facts: facts(), kind: options, text: print.text, reading, upload });
    if (options.rehearsal === true) print.line("Rehearsal", REHEARSAL);
  }

  report(event: Event | WarningEvent): void {
    const context = this.#context();
    this.#print.put(...[follow(this.#logged.lines, event, context) ?? []].flat());
    if (event.type === "ended") this.#end(this.#account(context.facts));
  }

  #account(facts: Facts): readonly Part[] {
    try {
      return this.#logged.account(facts, this.#options, new MarkdownPen(this.#print.text));
    } catch (thrown) {
      // A bug in what a page shows must not hide why the run failed.
      const error = facts.ended?.error;
      if (error) this.#print.put({ error: error.message, frame: { title: "Failed" } });
      throw thrown;
    }
  }

  /** Of a failure its one annotation and the list of its errors, then what else there is to say, and last what to do next. */
  #end(parts: readonly Part[]): void {
    const shown = parts.filter((part) => part.in.includes("log"));
    const failed = shown.find((part) => "failure" in part);
    const rest = shown.filter((part) => part !== failed);
    if (!failed) {
      this.#print.put(...rest);
      return;
    }
    const { title, sentence, advice, list, paste, stack } = failed.failure;
    const more = !list || list.more === 0 ? [] : [[`and ${countText(list.more)} more`, ""] as const];
    this.#print.put(
      { error: sentence, frame: { title } },
      ...(list ? [{ pairs: [...list.faults, ...more] }] : []),
      ...rest,
      ...(this.#options.debug === true ? [{ group: "Stack", lines: stack.split("\n") }] : []),
      ...(advice === "" ? [] : [{ label: "Next", text: advice }]),
      { copied: paste },
    );
  }
}

const REHEARSAL = "using a local service that stops with this step; nothing is sent over the network";
