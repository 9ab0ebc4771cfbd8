import { firstBytes, lineBreaks, type ByteSource } from "./byte-source.ts";
import { BYTE, isSpace } from "./bytes.ts";
import { markLength, unicodeRefusal } from "./encoding.ts";
import { FAULT, JsonFault } from "./faults.ts";
import { JsonScan, type JsonVisitor } from "./scan.ts";

/** What the beginning of a file shows. */
export interface JsonPeek {
  /**
   * `lines` is one value a line, two lines at least: a file of one line is an `object` or an `array`. `texts` are
   * values one behind the other, of which one stands in several lines. What breaks JSON's grammar before any key or
   * nested value is `other`; the reader reports what breaks later. `none` does not even begin as JSON does.
   */
  readonly kind: "object" | "array" | "lines" | "texts" | "other" | "none";
  /** The keys of the object; of a list or of lines those of all that were seen, in the order of their first sight. */
  readonly topKeys: readonly string[];
  /** Likewise of the objects that a path of keys leads to, whether they stand there alone or in lists. */
  readonly keysAt: (path: readonly string[]) => readonly string[];
  /** True when the file was seen to its end, and is well-formed. */
  readonly complete: boolean;
  /** Where and how that breaks which begins as JSON; undefined where it does not, or only the look ends. */
  readonly fault: { readonly line: number; readonly fault: string } | undefined;
}

export const NO_JSON: JsonPeek = { kind: "none", topKeys: [], keysAt: () => [], complete: false, fault: undefined };

/** Looks at the first 256 KiB of a file, or at its first line and as much behind it, to detect its format by its content. Throws for UTF-16 and UTF-32. */
export function peekJson(source: ByteSource): JsonPeek {
  let beginning = readUpTo(source, PEEK_BYTES);
  const isObject =
    beginning.bytes.subarray(markLength(beginning.bytes)).find((byte) => !isSpace(byte)) === BYTE.openObject;
  if (!beginning.isWhole && isObject && !beginning.bytes.includes(BYTE.lineFeed)) {
    // Only where the first line ends shows whether it is one of several.
    const end = firstLineEnd(source);
    if (end !== undefined) beginning = readUpTo(source, end + PEEK_BYTES);
  }
  const { bytes, isWhole } = beginning;
  const refusal = unicodeRefusal(source.name, bytes);
  if (refusal) throw refusal;
  const keys = new SeenKeys();
  const scan = new JsonScan(bytes.subarray(markLength(bytes)), keys);
  const kind = KINDS.get(scan.next());
  const seen = kind === undefined ? OTHER : look(scan, kind, keys);
  const keysAt = (path: readonly string[]) => keys.at(path);
  const broken = scan.isCut && !isWhole ? undefined : seen.broken;
  return {
    kind: seen.kind,
    topKeys: keysAt([]),
    keysAt,
    complete: seen.isToEnd && isWhole,
    fault: broken && { line: 1 + lineBreaks(scan.bytes.subarray(0, broken.at)), fault: broken.fault },
  };
}

const PEEK_BYTES = 256 * 1024;
// As long as a line may be that is read.
const LONGEST_LINE = 64 * 1024 * 1024;
const KINDS: ReadonlyMap<number, "object" | "array"> = new Map([
  [BYTE.openObject, "object"],
  [BYTE.openList, "array"],
]);

interface Seen {
  readonly kind: JsonPeek["kind"];
  readonly isToEnd: boolean;
  readonly broken?: JsonFault;
}
const OTHER: Seen = { kind: "other", isToEnd: false };

function look(scan: JsonScan, kind: "object" | "array", keys: SeenKeys): Seen {
  let begin = scan.at;
  const broken = scan.fault();
  if (broken) return scan.isCut || keys.areSome ? { kind, isToEnd: false, broken } : OTHER;
  const end = scan.at;
  const next = scan.next();
  if (next === -1) return { kind, isToEnd: true };
  if (!KINDS.has(next)) return OTHER;
  // Neither a document nor several, which begin each in a line of its own.
  if (breaksIn(scan, end, scan.at) === 0) return { ...OTHER, broken: new JsonFault(scan.at, FAULT.more) };
  let isOverLines = breaksIn(scan, begin, end) > 0;
  while (scan.next() !== -1) {
    begin = scan.at;
    const fault = scan.fault();
    if (fault) return { kind: isOverLines ? "texts" : "lines", isToEnd: false, broken: fault };
    isOverLines ||= breaksIn(scan, begin, scan.at) > 0;
  }
  return { kind: isOverLines ? "texts" : "lines", isToEnd: true };
}

function breaksIn({ bytes }: JsonScan, from: number, to: number): number {
  return lineBreaks(bytes.subarray(from, to));
}

/** Where the first line ends, if that is not long and anything follows it; undefined for a document of one line. */
function firstLineEnd(source: ByteSource): number | undefined {
  const block = Buffer.allocUnsafe(source.blockBytes);
  using opened = source.open();
  let end: number | undefined;
  for (let offset = 0; offset <= LONGEST_LINE;) {
    const read = block.subarray(0, opened.read(block));
    if (read.length === 0) return undefined;
    const lineFeed = end === undefined ? read.indexOf(BYTE.lineFeed) : -1;
    const rest = end !== undefined ? read : lineFeed < 0 ? read.subarray(read.length) : read.subarray(lineFeed);
    if (lineFeed >= 0) end = offset + lineFeed;
    if (!rest.every(isSpace)) return end;
    offset += read.length;
  }
  return undefined;
}

function readUpTo(source: ByteSource, most: number): { readonly bytes: Buffer; readonly isWhole: boolean } {
  // One byte more shows whether the file ends there.
  const bytes = firstBytes(source, most + 1);
  return { bytes: bytes.subarray(0, most), isWhole: bytes.length <= most };
}

/** The keys that a scan meets, by the keys that lead to them; lists are passed through. */
class SeenKeys implements JsonVisitor {
  /** True once there was a key, or a list or an object in a list. */
  areSome = false;
  readonly #top = new KeyNode();
  /** Where the values of the open brackets belong. */
  readonly #open: KeyNode[] = [];
  /** Where the next value belongs. */
  #here = this.#top;

  /** The keys of the objects to which a path of keys leads, in the order of their first sight. */
  at(path: readonly string[]): readonly string[] {
    let node: KeyNode | undefined = this.#top;
    for (const key of path) node = node?.get(key);
    return [...(node?.keys() ?? [])];
  }

  readonly opens = (): void => {
    this.areSome ||= this.#open.length > 0;
    this.#open.push(this.#here);
  };

  readonly closes = (): void => {
    this.#open.pop();
    this.#here = this.#open.at(-1) ?? this.#top;
  };

  readonly key = (key: string): void => {
    this.areSome = true;
    const parent = this.#open.at(-1) ?? this.#top;
    const child = parent.get(key) ?? new KeyNode();
    parent.set(key, child);
    this.#here = child;
  };
}

class KeyNode extends Map<string, KeyNode> {}
