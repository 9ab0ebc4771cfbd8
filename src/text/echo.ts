/** What a text may repeat of what was sent. */
export interface Repeatable {
  /** Names of the API: in a path such as `results.12.start_time`, in quotes, and with an underscore anywhere. */
  readonly fields: readonly string[];
  /** Names that the reader gave, anywhere. */
  readonly shown: readonly string[];
}

// So many bytes in a row, letters and digits alone, are no coincidence: two or three words, or four Chinese characters.
// Shorter ones would take the words of the service itself, as soon as enough text was sent.
const RUN = 12;
// A whole value, such as a name. Shorter ones are found in quotes only.
const LEAST_VALUE = 3;
// A number or an order, within a longer text.
const LEAST_WORD = 4;
const FACTOR = 0x01_00_01_93;
const FILTER_BYTES = 1 << 15;
const HIDDEN = "…";

const QUOTED =
  /(?<![\p{L}\p{N}])(?:(["'`])(.*?)(?:\1(?![\p{L}\p{N}])|$)|“(.*?)(?:”|$)|‘(.*?)(?:’(?![\p{L}\p{N}])|$)|«(.*?)(?:»|$))/gu;
// How schema checkers introduce the value that they refuse.
const INTRODUCED =
  /((?<![\w.])(?:got|received|(?:input_value|input|value|output)\s*[=:])\s*)([^\s,;()[\]{}][^,;()[\]{}]*)/gi;

interface Letters {
  readonly bytes: readonly number[];
  /** Where each began and ended in the text, UTF-16 units. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** True where another word, or what may be repeated, stands before it. */
  readonly begins: readonly boolean[];
  /** How many parts that may be repeated stand before it: nothing is found across them. */
  readonly part: readonly number[];
}

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

interface Range {
  readonly from: number;
  readonly to: number;
}

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

const ESCAPED = /\\(?:u([\da-f]{4})|x([\da-f]{2})|[^])/giy;

function lettersOf(line: string, kept: readonly Range[]): Letters {
  const [bytes, starts, ends, begins, part]: [number[], number[], number[], boolean[], number[]] = [[], [], [], [], []];
  let isNew = true;
  let parts = 0;
  for (let at = 0; at < line.length;) {
    const inside = kept[parts];
    if (inside !== undefined && at >= inside.from) {
      at = Math.max(at, inside.to);
      parts += 1;
      isNew = true;
      continue;
    }
    let [character, next] = [String.fromCodePoint(line.codePointAt(at) ?? 0), 0];
    next = at + character.length;
    if (character === "\\") {
      ESCAPED.lastIndex = at;
      const [all = "\\", unit, byte] = ESCAPED.exec(line) ?? [];
      next = at + all.length;
      character =
        unit === undefined && byte === undefined ? " " : String.fromCharCode(parseInt(unit ?? byte ?? "", 16));
    }
    const letter = letterBytes(character);
    for (const [index, byte] of letter.entries()) {
      bytes.push(byte);
      starts.push(at);
      ends.push(next);
      begins.push(isNew && index === 0);
      part.push(parts);
    }
    isNew = letter.length === 0;
    at = next;
  }
  return { bytes, starts, ends, begins, part };
}

/** The UTF-8 of a letter, in lower case if it is ASCII; none for what is no letter, or beyond the first plane. */
function letterBytes(character: string): readonly number[] {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return isAsciiLetter(code) ? [lowerCase(code)] : [];
  if (code > 0xff_ff || (code >= 0xd8_00 && code <= 0xdf_ff)) return [];
  return [...Buffer.from(character)];
}

function isAsciiLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);
}

function lowerCase(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

/** All that are as long as a run. */
function runsOf({ bytes, part }: Letters): readonly Range[] {
  return bytes.flatMap((_, from) =>
    from + RUN <= bytes.length && part[from] === part[from + RUN - 1] ? [{ from, to: from + RUN }] : [],
  );
}

/** All that may be a value: whole words, and shorter than a run. */
function valuesOf({ bytes, begins, part }: Letters): readonly Range[] {
  const found: Range[] = [];
  for (const [from, isBegin] of begins.entries()) {
    if (!isBegin) continue;
    for (let to = from + 1; to - from < RUN && to <= bytes.length && part[to - 1] === part[from]; to += 1) {
      const isEnd = to === bytes.length || begins[to] === true;
      if (isEnd && to - from >= LEAST_VALUE) found.push({ from, to });
    }
  }
  return found;
}

function keyOf({ bytes }: Letters, from: number, to: number): string {
  return String.fromCharCode(...bytes.slice(from, to));
}

/** In the text, from the beginning of the first word to the end of the last. */
function wholeWords({ starts, ends, begins, part }: Letters, from: number, to: number): Range {
  let [first, last] = [from, to - 1];
  while (first > 0 && begins[first] !== true) first -= 1;
  while (last + 1 < starts.length && begins[last + 1] !== true && part[last + 1] === part[last]) last += 1;
  return { from: starts[first] ?? 0, to: ends[last] ?? 0 };
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

function hashOf(bytes: readonly number[]): number {
  let hash = 0;
  for (const byte of bytes) hash = (Math.imul(hash, FACTOR) + byte) | 0;
  return hash;
}

function byteOf(hash: number): number {
  return (hash >>> 5) & (FILTER_BYTES - 1);
}

// What leaves a window is multiplied so many times.
const LEAVING = Array.from({ length: RUN }).reduce<number>((power) => Math.imul(power, FACTOR), 1);
const [QUOTE, BACKSLASH, COLON, LETTER_U] = [0x22, 0x5c, 0x3a, 0x75];

interface SentListener {
  readonly isOpen: (hash: number) => boolean;
  readonly onRun: (run: string, hash: number) => void;
  readonly onValue: (value: string) => void;
}

/** Reads JSON, or parts with JSON, byte by byte: its letters in their order, its values, and its words with a digit. */
class SentReader {
  readonly #listener: SentListener;
  readonly #fields: ReadonlySet<string>;
  readonly #window = new Uint8Array(RUN);
  #count = 0;
  #hash = 0;
  #isInString = false;
  /** How many bytes of an escape, or of a character beyond the first plane, still come. */
  #escape: "begin" | "none" | "unit" = "none";
  #unit = "";
  #beyond = 0;
  readonly #value = new ShortText();
  readonly #word = new ShortText();
  #wordHasDigit = false;
  /** The runs of the string, and true when it has ended: it is a key if a colon follows. */
  readonly #runs = new Map<number, string>();
  #hasEnded = false;

  /** `fields`: keys with these runs are names of the API. */
  constructor(fields: readonly string[], listener: SentListener) {
    this.#listener = listener;
    const letters = fields.map((field) => lettersOf(field, []));
    this.#fields = new Set(letters.flatMap((each) => runsOf(each).map(({ from, to }) => keyOf(each, from, to))));
  }

  read(bytes: Uint8Array): void {
    for (const byte of bytes) this.#byte(byte);
  }

  /** Nothing follows. */
  end(): void {
    this.#endString(false);
  }

  #byte(byte: number): void {
    if (this.#isInString) {
      this.#inString(byte);
      return;
    }
    if (this.#hasEnded && byte > 0x20) this.#endString(byte === COLON);
    const isLetter = isAsciiLetter(byte);
    if (isLetter) this.#letter(lowerCase(byte));
    else if (byte !== 0x2e && byte !== 0x2d && byte !== 0x2b) this.#endNumber();
    if (byte === QUOTE) {
      this.#isInString = true;
      this.#clear();
    }
  }

  #endString(isKey: boolean): void {
    this.#hasEnded = false;
    for (const [hash, run] of this.#runs) {
      if (!isKey || !this.#fields.has(run)) this.#listener.onRun(run, hash);
    }
    if (!isKey) this.#report(this.#value);
    this.#clear();
  }

  /** What follows does not continue what came before. */
  #clear(): void {
    this.#runs.clear();
    this.#value.clear();
    this.#count = this.#hash = 0;
  }

  #inString(byte: number): void {
    if (this.#escape === "unit") {
      this.#unit += String.fromCharCode(byte);
      if (this.#unit.length < 4) return;
      for (const letter of letterBytes(String.fromCharCode(parseInt(this.#unit, 16) || 0))) this.#letter(letter);
      this.#escape = "none";
    } else if (this.#escape === "begin") {
      this.#unit = "";
      this.#escape = byte === LETTER_U ? "unit" : "none";
      if (this.#escape === "none") this.#endWord();
    } else if (byte === BACKSLASH) this.#escape = "begin";
    else if (byte === QUOTE) {
      this.#endWord();
      this.#isInString = false;
      this.#hasEnded = true;
    } else if (this.#beyond > 0) this.#beyond -= 1;
    else if (byte >= 0xf0) this.#beyond = 3;
    else if (byte >= 0x80 || isAsciiLetter(byte)) this.#letter(lowerCase(byte));
    else if (!(byte === 0x2e || byte === 0x2d || byte === 0x5f || byte === 0x40)) this.#endWord();
  }

  #letter(byte: number): void {
    const slot = this.#count % RUN;
    const leaving = this.#count >= RUN ? (this.#window[slot] ?? 0) : 0;
    this.#window[slot] = byte;
    this.#hash = (Math.imul(this.#hash, FACTOR) + byte - Math.imul(leaving, LEAVING)) | 0;
    this.#count += 1;
    if (this.#count >= RUN && this.#listener.isOpen(this.#hash) && !this.#runs.has(this.#hash)) {
      const first = this.#count % RUN;
      const run = [...this.#window.subarray(first), ...this.#window.subarray(0, first)];
      this.#runs.set(this.#hash, String.fromCharCode(...run));
    }
    this.#value.add(byte);
    this.#word.add(byte);
    if (byte >= 0x30 && byte <= 0x39) this.#wordHasDigit = true;
  }

  #endWord(): void {
    if (this.#wordHasDigit && this.#word.length >= LEAST_WORD) this.#report(this.#word);
    this.#wordHasDigit = false;
    this.#word.clear();
  }

  /** Outside of strings there are numbers, and words such as `true`, which are no secret. */
  #endNumber(): void {
    if (this.#wordHasDigit) this.#report(this.#word);
    this.#wordHasDigit = false;
    this.#word.clear();
    if (this.#runs.size > 0) this.#endString(false);
    else this.#clear();
  }

  #report(short: ShortText): void {
    if (short.text !== undefined) this.#listener.onValue(short.text);
  }
}

/** The letters of a value; of a long one only that it is long. */
class ShortText {
  readonly #bytes = new Uint8Array(RUN);
  length = 0;

  add(byte: number): void {
    if (this.length < RUN) this.#bytes[this.length] = byte;
    this.length += 1;
  }

  clear(): void {
    this.length = 0;
  }

  /** Undefined where it is too short or too long to be looked for. */
  get text(): string | undefined {
    if (this.length < LEAST_VALUE || this.length >= RUN) return undefined;
    return String.fromCharCode(...this.#bytes.subarray(0, this.length));
  }
}
