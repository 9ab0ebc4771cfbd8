import { elapsedText } from "../../src/text/duration.ts";
import { ForeignText, type Redact } from "../../src/text/foreign-text.ts";
import { countText } from "../../src/text/number.ts";
import type { AnnotationFrame, Screen } from "../host.ts";
import type { Block } from "./part.ts";

// Wide enough for "Would update" and for "59 min 59 s".
const LABEL_WIDTH = 14;
const ELAPSED_WIDTH = 11;
const MOST_IN_GROUP = 1_000;
// Of items that share a line, without the label.
const LINE_WIDTH = 100;

/** Where lines go, and what must not be in them. */
export interface PrinterOptions {
  readonly screen: Screen;
  readonly redact?: Redact | undefined;
  /** The user asked for debug logging. */
  readonly debug?: boolean | undefined;
}

/** What kind of run it is, for those who report it. */
export interface RunKind {
  /** Nothing will be written or sent. */
  readonly dryRun?: boolean | undefined;
  /** The service is the local one. */
  readonly rehearsal?: boolean | undefined;
  /** Absolute path; directories in it are named relative to it. */
  readonly workspace?: string | undefined;
  /** The page of the workflow run. */
  readonly runUrl?: string | undefined;
}

/** What a log should know of the run. */
export interface LogOptions extends PrinterOptions, RunKind {}

/** Lays out the lines of a log. Every text that it prints is made harmless here, so that no caller can forget it. */
export class Printer {
  /** The user asked for debug logging. */
  readonly debug: boolean;
  readonly text: ForeignText;
  readonly #screen: Screen;
  readonly #warned = new Set<string>();

  constructor({ screen, redact, debug = false }: PrinterOptions) {
    this.#screen = screen;
    this.text = new ForeignText(redact);
    this.debug = debug;
  }

  /** Prints what has a place in a log. */
  put(blocks: readonly Block[]): void {
    for (const block of blocks) this.#put(block);
  }

  #put(block: Block): void {
    if ("at" in block) this.line(elapsedText(block.at).padStart(ELAPSED_WIDTH), block.text);
    else if ("label" in block) {
      if ("text" in block) this.line(block.label, block.text);
      else if ("lines" in block) this.lines(block.label, block.lines);
      else this.items(block.label, block.items);
    } else if ("sentence" in block) this.sentence(block.sentence);
    else if ("group" in block) this.group(block.group, block.lines);
    else if ("copied" in block) this.block(block.copied);
    else if ("error" in block) this.error(block.frame.title ?? "", block.error, block.frame);
    else if ("warning" in block) this.warning(block.warning, block.frame);
    else if ("notice" in block) this.notice(block.notice);
    else if ("debugging" in block) this.debugging(block.debugging);
  }

  /** `Label         text` */
  line(label: string, text: string): void {
    this.#plain(`${label.padEnd(LABEL_WIDTH - 1)} ${this.text.line(text)}`);
  }

  /** One more line of the label before. */
  more(text: string): void {
    this.line("", text);
  }

  /** Lines of which the first has the label. */
  lines(label: string, texts: readonly string[]): void {
    for (const [index, text] of texts.entries()) this.line(index === 0 ? label : "", text);
  }

  /** The items with dots between them, in lines of a readable length. */
  items(label: string, items: readonly string[]): void {
    const lines: string[] = [];
    for (const item of items) {
      const last = lines.at(-1);
      const longer = `${last ?? ""} · ${item}`;
      if (last === undefined || longer.length > LINE_WIDTH) lines.push(item);
      else lines[lines.length - 1] = longer;
    }
    this.lines(label, lines);
  }

  /** `       34 s   text` */
  at(elapsedMilliseconds: number, text: string): void {
    this.line(elapsedText(elapsedMilliseconds).padStart(ELAPSED_WIDTH), text);
  }

  /** Says that a rehearsal begins. */
  rehearsal(): void {
    this.line("Rehearsal", "using a local service that stops with this step; nothing is sent over the network");
  }

  /** A sentence without a label. */
  sentence(text: string): void {
    this.#plain(this.text.line(text));
  }

  /** Lines that keep their indentation, for a user to copy. */
  block(texts: readonly string[]): void {
    for (const text of texts) this.#plain(this.text.lines(text).join(" "));
  }

  /** Pairs below each other, their second halves aligned. */
  pairs(rows: readonly (readonly [string, string])[]): void {
    const clean = rows.map(([first, second]) => [this.text.line(first), this.text.line(second)] as const);
    const width = Math.max(...clean.map(([first]) => first.length)) + 2;
    for (const [first, second] of clean) this.#plain(`  ${first.padEnd(width)}${second}`);
  }

  /** A group that is closed at first; each text is one line. */
  group(title: string, texts: readonly string[]): void {
    this.#screen.group(
      this.text.line(title),
      texts.map((text) => this.text.lines(text).join(" ")),
    );
  }

  /** A group of as many lines as are worth reading, and the count of the others. */
  longGroup(title: string, texts: readonly string[]): void {
    const rest = texts.length - MOST_IN_GROUP;
    this.group(title, rest > 0 ? [...texts.slice(0, MOST_IN_GROUP), `and ${countText(rest)} more`] : texts);
  }

  /** A warning annotation, or a plain line once the host would drop it; nothing when it was printed before. */
  warning(text: string, frame: AnnotationFrame = {}): void {
    const clean = this.text.line(text);
    if (this.#warned.has(clean)) return;
    this.#warned.add(clean);
    if (this.#warned.size > this.#screen.mostAnnotations) this.line("Warning", clean);
    else this.#screen.annotate("warning", clean, this.#clean(frame));
  }

  /** A notice annotation, for what is good to know. */
  notice(text: string): void {
    this.#screen.annotate("notice", this.text.line(text));
  }

  /** An error annotation. A run that fails as a whole has one, of few that a runner keeps. */
  error(title: string, text: string, place: Omit<AnnotationFrame, "title"> = {}): void {
    this.#screen.annotate("error", this.text.line(text, Infinity), this.#clean({ ...place, title }));
  }

  /** A line that only debug logging shows. */
  debugging(text: string): void {
    this.#screen.debug(this.text.line(text));
  }

  #clean({ title, file, line }: AnnotationFrame): AnnotationFrame {
    const clean = (text: string | undefined) => (text === undefined ? undefined : this.text.line(text));
    return { title: clean(title), file: clean(file), line };
  }

  #plain(line: string): void {
    this.#screen.print(line.trimEnd());
  }
}
