import { keyOf, lettersOf, runsOf, valuesOf, wholeWords, type Letters, type Range } from "./echo-letters.ts";
import { hashOf, SentReader } from "./sent-reader.ts";

/** What a text may repeat of what was sent. */
export interface Repeatable {
  /** Names of the API: in a path such as `results.12.start_time`, in quotes, and with an underscore anywhere. */
  readonly fields: readonly string[];
  /** Names that the reader gave, anywhere. */
  readonly shown: readonly string[];
}

const FILTER_BYTES = 1 << 15;
const HIDDEN = "…";

const QUOTED =
  /(?<![\p{L}\p{N}])(?:(["'`])(.*?)(?:\1(?![\p{L}\p{N}])|$)|“(.*?)(?:”|$)|‘(.*?)(?:’(?![\p{L}\p{N}])|$)|«(.*?)(?:»|$))/gu;
// How schema checkers introduce the value that they refuse.
const INTRODUCED =
  /((?<![\w.])(?:got|received|(?:input_value|input|value|output)\s*[=:])\s*)([^\s,;()[\]{}][^,;()[\]{}]*)/gi;

/**
 * Takes out of a few lines what was sent: what they have in common with it, whatever stands between the letters and
 * however they are escaped; whole values of it; and what stands in quotes or is introduced as a value, unless it may be
 * repeated. What was sent is read once, in time that grows with its length, and nothing of it is kept.
 */
export class EchoMask {
  readonly #repeatable: Repeatable;
  readonly #path: RegExp;
  /** By their hash, those that were not found. */
  readonly #open = new Map<number, Set<string>>();
  readonly #found = new Set<string>();
  readonly #values = new Map<string, boolean>();
  readonly #filter = new Uint8Array(FILTER_BYTES);
  readonly #sent: SentReader;

  /** The lines that will be asked for. */
  constructor(lines: readonly string[], repeatable: Repeatable) {
    this.#repeatable = repeatable;
    this.#sent = new SentReader(repeatable.fields, {
      isOpen: (hash) => ((this.#filter[byteOf(hash)] ?? 0) & (1 << (hash & 7))) !== 0 && this.#open.has(hash),
      onRun: (run, hash) => {
        const open = this.#open.get(hash);
        if (open?.delete(run) === true) this.#found.add(run);
        if (open?.size === 0) this.#open.delete(hash);
      },
      onValue: (value) => {
        if (this.#values.has(value)) this.#values.set(value, true);
      },
    });
    const names = repeatable.fields.map(escapeRegExp).join("|");
    this.#path = new RegExp(`(?<![\\w.])(?:${names})(?:\\.(?:${names}|\\d+))*(?![\\w])`, "g");
    for (const line of lines) {
      const letters = this.#lettersOf(line);
      for (const { from, to } of runsOf(letters)) {
        const run = keyOf(letters, from, to);
        const hash = hashOf(letters.bytes.slice(from, to));
        this.#filter[byteOf(hash)] = (this.#filter[byteOf(hash)] ?? 0) | (1 << (hash & 7));
        const open = this.#open.get(hash) ?? new Set();
        this.#open.set(hash, open.add(run));
      }
      for (const { from, to } of valuesOf(letters)) this.#values.set(keyOf(letters, from, to), false);
    }
  }

  /** The next bytes of what was sent. */
  read(bytes: Uint8Array): void {
    this.#sent.read(bytes);
  }

  /** One of the lines, after all that was sent is read. */
  text(line: string): string {
    this.#sent.end();
    const letters = this.#lettersOf(line);
    const found = [
      ...runsOf(letters).filter(({ from, to }) => this.#found.has(keyOf(letters, from, to))),
      ...valuesOf(letters).filter(({ from, to }) => this.#values.get(keyOf(letters, from, to)) === true),
    ];
    const ranges = found.map(({ from, to }) => wholeWords(letters, from, to));
    const rest = withoutRanges(line, ranges);
    const unquoted = rest.replaceAll(QUOTED, (all: string, ...[mark, ...texts]: readonly (string | undefined)[]) => {
      const text = texts.slice(0, 4).find((inner) => inner !== undefined) ?? "";
      if (this.#mayRepeat(text)) return all;
      return `${mark ?? all.charAt(0)}${HIDDEN}${mark ?? CLOSING[all.charAt(0)] ?? ""}`;
    });
    return unquoted
      .replaceAll(INTRODUCED, (all, before: string, value: string) =>
        this.#mayRepeat(value.replace(/^["'`](.*)["'`]\.?$/, "$1")) ? all : `${before}${HIDDEN}`,
      )
      .replaceAll(/…(?:[\s…]*…)+/g, HIDDEN);
  }

  #mayRepeat(text: string): boolean {
    const { fields, shown } = this.#repeatable;
    return !/[\p{L}\p{N}]/u.test(text) || shown.includes(text) || fields.includes(text) || this.#isPath(text);
  }

  #isPath(text: string): boolean {
    return [...text.matchAll(this.#path)].some(([all]) => all === text);
  }

  #lettersOf(line: string): Letters {
    const kept = [
      ...[...line.matchAll(this.#path)]
        .map(({ 0: all, index }) => ({ from: index, to: index + all.length }))
        .filter(({ from, to }) => isNameHere(line, from, to)),
      ...this.#repeatable.shown.flatMap((name) => placesOf(line, name)),
    ].sort((a, b) => a.from - b.from);
    return lettersOf(line, kept);
  }
}

const CLOSING: Readonly<Record<string, string>> = { "“": "”", "‘": "’", "«": "»" };

/** A word such as `results` is a name only where it stands as one. */
function isNameHere(line: string, from: number, to: number): boolean {
  if (/[_.]/.test(line.slice(from, to))) return true;
  return line[to] === ":" || (/["'`]/.test(line[from - 1] ?? "") && line[to] === line[from - 1]);
}

function placesOf(line: string, name: string): readonly Range[] {
  const places: Range[] = [];
  if (name.trim() === "") return places;
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + name.length)) {
    const isWord = !/[\p{L}\p{N}]$/u.test(line.slice(0, at)) && !/^[\p{L}\p{N}]/u.test(line.slice(at + name.length));
    if (isWord) places.push({ from: at, to: at + name.length });
  }
  return places;
}

function withoutRanges(line: string, ranges: readonly Range[]): string {
  let clean = "";
  let next = 0;
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from)) {
    if (to <= next) continue;
    if (from >= next) clean += `${line.slice(next, from)}${HIDDEN}`;
    next = to;
  }
  return clean + line.slice(next);
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function byteOf(hash: number): number {
  return (hash >>> 5) & (FILTER_BYTES - 1);
}
