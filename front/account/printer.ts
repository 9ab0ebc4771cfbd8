import { elapsedText } from "../../src/text/duration.ts";
import { ForeignText, type Redact } from "../../src/text/foreign-text.ts";
import type { AnnotationFrame, Screen } from "../host.ts";
import type { Block } from "./part.ts";

// Wide enough for "Would update" and for "59 min 59 s".
const LABEL_WIDTH = 14;
const ELAPSED_WIDTH = 11;
// Of items that share a line, without the label.
const LINE_WIDTH = 100;

export interface PrinterOptions {
  readonly screen: Screen;
  readonly redact?: Redact;
}

/** Lays out the lines of a log. Every text that it prints is made harmless here, so that no caller can forget it. */
export class Printer {
  readonly text: ForeignText;
  readonly #screen: Screen;
  readonly #warned = new Set<string>();

  constructor({ screen, redact }: PrinterOptions) {
    this.#screen = screen;
    this.text = new ForeignText(redact);
  }

  put(...blocks: readonly Block[]): void {
    for (const block of blocks) this.#put(block);
  }

  /** `Label         text` */
  line(label: string, text: string): void {
    this.#plain(`${label.padEnd(LABEL_WIDTH - 1)} ${this.text.line(text)}`);
  }

  #put(block: Block): void {
    const { text } = this;
    if ("at" in block) this.line(elapsedText(block.at).padStart(ELAPSED_WIDTH), block.text);
    else if ("label" in block) {
      if ("text" in block) this.line(block.label, block.text);
      else this.#lines(block.label, "lines" in block ? block.lines : inLines(block.items));
    } else if ("sentence" in block) this.#plain(text.line(block.sentence));
    else if ("group" in block) {
      const lines = block.lines.map((line) => text.lines(line).join(" "));
      this.#screen.group(text.line(block.group), lines);
    } else if ("copied" in block) for (const line of block.copied) this.#plain(text.lines(line).join(" "));
    else if ("pairs" in block) this.#pairs(block.pairs);
    else if ("error" in block)
      this.#screen.annotate("error", text.line(block.error, Infinity), this.#clean(block.frame));
    else if ("warning" in block) this.#warning(text.line(block.warning), block.frame);
    else if ("notice" in block) this.#screen.annotate("notice", text.line(block.notice));
    else if ("debugging" in block) this.#screen.debug(text.line(block.debugging));
  }

  #lines(label: string, texts: readonly string[]): void {
    for (const [index, text] of texts.entries()) this.line(index === 0 ? label : "", text);
  }

  #pairs(rows: readonly (readonly [string, string])[]): void {
    const clean = rows.map(([first, second]) => [this.text.line(first), this.text.line(second)] as const);
    const width = Math.max(...clean.map(([first]) => first.length)) + 2;
    for (const [first, second] of clean) this.#plain(`  ${first.padEnd(width)}${second}`);
  }

  /** An annotation, or a plain line once the host would drop it; nothing when it was printed before. */
  #warning(clean: string, frame: AnnotationFrame = {}): void {
    if (this.#warned.has(clean)) return;
    this.#warned.add(clean);
    if (this.#warned.size > this.#screen.mostAnnotations) this.line("Warning", clean);
    else this.#screen.annotate("warning", clean, this.#clean(frame));
  }

  #clean({ title, file, line }: AnnotationFrame): AnnotationFrame {
    const clean = (text: string | undefined) => (text === undefined ? undefined : this.text.line(text));
    return { title: clean(title), file: clean(file), line };
  }

  #plain(line: string): void {
    this.#screen.print(line.trimEnd());
  }
}

/** The items with dots between them, in lines of a readable length. */
function inLines(items: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    const longer = `${last ?? ""} · ${item}`;
    if (last === undefined || longer.length > LINE_WIDTH) lines.push(item);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
