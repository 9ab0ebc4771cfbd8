import { keyOf, lettersOf, RUN, runsOf, valuesOf, wholeWords, wordsWithout, type Letters } from "./echo-letters.ts";
import { hashOf, SentReader, type SentAs } from "./sent-reader.ts";
import { rangesOf, withMarks, type Range } from "./range.ts";
import { COUNTS, PHRASES, WORDS } from "./service-words.ts";

/** What a text may repeat of what was sent. */
export interface Repeatable {
  /** Names of the API: in a path such as `results.12.start_time`, in quotes, and with an underscore anywhere. */
  readonly fields: readonly string[];
  /** Names that the reader gave, anywhere. */
  readonly shown: readonly string[];
}

const FILTER_BYTES = 1 << 15;
const HIDDEN = "…";
// Besides a phrase of services, fewer letters of what was sent are a coincidence, such as the `for` that follows it.
const LEAST_BESIDES = RUN / 2;

const QUOTED =
  /(?<![\p{L}\p{N}])(?:(["'`])(.*?)(?:\1(?![\p{L}\p{N}])|$)|“(.*?)(?:”|$)|‘(.*?)(?:’(?![\p{L}\p{N}])|$)|«(.*?)(?:»|$))/gu;
// How schema checkers introduce the value that they refuse. `No header received for this request` introduces none.
const INTRODUCED =
  /((?<![\w.])(?:(?:got|received)(?:\s*[=:]\s*|\s+(?=["'`“‘«]|[-+.]?\d))|(?:input_value|input|value|output)\s*[=:]\s*))([^\s,;()[\]{}][^,;()[\]{}]*)/gi;

/** The letters of a line, and which of them are words that services say of any request. */
interface Line {
  readonly letters: Letters;
  readonly isPhrase: readonly boolean[];
  /** True in phrases, too. */
  readonly isWord: readonly boolean[];
  readonly counts: readonly Range[];
  /** Where its path ends, such as `results.3.inputs.question`: people need the names of their own fields there. */
  readonly pathEnd: number;
}

/**
 * Takes out of a few lines what was sent: what they have in common with it, whatever stands between the letters and
 * however they are escaped; whole values of it; and what stands in quotes or is introduced as a value, unless it may be
 * repeated. What services say of any request stays, and so do keys in the path before a reason. What was sent is read
 * once, in time that grows with its length, and nothing of it is kept.
 */
export class EchoMask {
  readonly #repeatable: Repeatable;
  readonly #path: RegExp;
  readonly #head: RegExp;
  /** By their hash, those that were not found. */
  readonly #open = new Map<number, Set<string>>();
  readonly #found = new Map<string, SentAs>();
  readonly #values = new Map<string, SentAs | undefined>();
  readonly #filter = new Uint8Array(FILTER_BYTES);
  readonly #sent: SentReader;

  /** The lines that will be asked for. */
  constructor(lines: readonly string[], repeatable: Repeatable) {
    this.#repeatable = repeatable;
    this.#sent = new SentReader(repeatable.fields, {
      isOpen: (hash) => ((this.#filter[byteOf(hash)] ?? 0) & (1 << (hash & 7))) !== 0 && this.#open.has(hash),
      onRun: (run, hash, as) => {
        const open = this.#open.get(hash);
        if (open?.has(run) !== true) return;
        this.#found.set(run, as);
        if (as === "key") return;
        open.delete(run);
        if (open.size === 0) this.#open.delete(hash);
      },
      isAsked: (value) => this.#values.has(value),
      onValue: (value, as) => {
        if (this.#values.has(value) && this.#values.get(value) !== "value") this.#values.set(value, as);
      },
    });
    const names = repeatable.fields.map(escapeRegExp).join("|");
    this.#path = new RegExp(`(?<![\\w.])(?:${names})(?:\\.(?:${names}|\\d+))*(?![\\w])`, "g");
    this.#head = new RegExp(`^(?:${names})(?:\\.[^:]*)?(?=:)`);
    for (const text of lines) {
      const line = this.#lineOf(text);
      for (const { from, to } of openRuns(line)) {
        const run = keyOf(line.letters, from, to);
        const hash = hashOf(line.letters.bytes.slice(from, to));
        this.#filter[byteOf(hash)] = (this.#filter[byteOf(hash)] ?? 0) | (1 << (hash & 7));
        const open = this.#open.get(hash) ?? new Set();
        this.#open.set(hash, open.add(run));
      }
      for (const { from, to } of openValues(line)) this.#values.set(keyOf(line.letters, from, to), undefined);
    }
  }

  /** False where the lines hold nothing that must be looked for: nothing need be read. */
  get isLooking(): boolean {
    return this.#open.size > 0 || this.#values.size > 0;
  }

  read(bytes: Uint8Array): void {
    this.#sent.read(bytes);
  }

  /** One of the lines, after all that was sent is read. */
  text(line: string): string {
    this.#sent.end();
    const rest = withMarks(line, this.#sentIn(this.#lineOf(line)), HIDDEN);
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

  /** The places of the text that repeat what was sent. */
  #sentIn(line: Line): readonly Range[] {
    const { letters, isPhrase, pathEnd } = line;
    const isSent = ({ to }: Range, as: SentAs | undefined) =>
      as === "value" || (as === "key" && (letters.ends[to - 1] ?? 0) > pathEnd);
    const runs = openRuns(line).filter((run) => isSent(run, this.#found.get(keyOf(letters, run.from, run.to))));
    const values = openValues(line).filter((one) => isSent(one, this.#values.get(keyOf(letters, one.from, one.to))));
    // Those that overlap as one; they come in order.
    const merged: Range[] = [];
    for (const { from, to } of runs) {
      const last = merged.at(-1);
      if (last && from < last.to) merged[merged.length - 1] = { from: last.from, to };
      else merged.push({ from, to });
    }
    const shared = merged.filter(({ from, to }) => {
      const besides = isPhrase.slice(from, to).filter((is) => !is).length;
      return besides === to - from || besides >= LEAST_BESIDES;
    });
    return [...shared, ...values].flatMap(({ from, to }) =>
      wordsWithout(isPhrase, letters, wholeWords(letters, from, to)),
    );
  }

  #mayRepeat(text: string): boolean {
    const { fields, shown } = this.#repeatable;
    if (!/[\p{L}\p{N}]/u.test(text) || shown.includes(text) || fields.includes(text)) return true;
    return rangesOf(text, this.#path).some(({ from, to }) => to - from === text.length);
  }

  #lineOf(text: string): Line {
    const kept = [
      ...rangesOf(text, this.#path).filter(({ from, to }) => {
        // A word such as `results` is a name only where it stands as one.
        if (/[_.]/.test(text.slice(from, to))) return true;
        return text[to] === ":" || (/["'`]/.test(text[from - 1] ?? "") && text[to] === text[from - 1]);
      }),
      ...this.#repeatable.shown.flatMap((name) => placesOf(text, name)),
    ].sort((a, b) => a.from - b.from);
    const letters = lettersOf(text, kept);
    const isPhrase = areWithin(letters, rangesOf(text, PHRASES));
    const words = areWithin(letters, rangesOf(text, WORDS));
    const isWord = words.map((is, index) => is || isPhrase[index] === true);
    const pathEnd = this.#head.exec(text)?.[0].length ?? 0;
    return { letters, isPhrase, isWord, counts: rangesOf(text, COUNTS), pathEnd };
  }
}

/** The runs that are not all of a phrase. */
function openRuns({ letters, isPhrase }: Line): readonly Range[] {
  return runsOf(letters).filter(({ from, to }) => isPhrase.slice(from, to).includes(false));
}

/** What may be a value, and is neither made of words of services nor a count. */
function openValues({ letters, isWord, counts }: Line): readonly Range[] {
  const isCount = ({ from, to }: Range) =>
    counts.some((count) => count.from === letters.starts[from] && count.to === letters.ends[to - 1]);
  return valuesOf(letters).filter((one) => isWord.slice(one.from, one.to).includes(false) && !isCount(one));
}

function areWithin({ starts }: Letters, ranges: readonly Range[]): readonly boolean[] {
  return starts.map((start) => ranges.some(({ from, to }) => from <= start && start < to));
}

const CLOSING: Readonly<Record<string, string>> = { "“": "”", "‘": "’", "«": "»" };

/** Where a name stands as a word. Without a pattern of it: V8 refuses one of more than about 30,000 characters. */
function placesOf(line: string, name: string): readonly Range[] {
  const places: Range[] = [];
  if (name.trim() === "") return places;
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + name.length)) {
    const isWord = !/[\p{L}\p{N}]$/u.test(line.slice(0, at)) && !/^[\p{L}\p{N}]/u.test(line.slice(at + name.length));
    if (isWord) places.push({ from: at, to: at + name.length });
  }
  return places;
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

function byteOf(hash: number): number {
  return (hash >>> 5) & (FILTER_BYTES - 1);
}
