import { rangesOf, withMarks, type Range } from "./range.ts";
import { urlDecoded } from "./url-decoded.ts";

// Shorter values would blot out ordinary words; the runner refuses them as masks for the same reason.
const LEAST_LENGTH = 4;
// Settings that are kept among the secrets; as masks they would blank out outputs such as `created`.
const NO_SECRETS: ReadonlySet<string> = new Set(["true", "false", "null", "none"]);
// One escape of a URL (a character of UTF-8) or of JSON.
const ESCAPE = /%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f]){1,3}|\\u[\da-f]{4}|\\["\\/bfnrt]/gi;
// JSON within JSON within a URL.
const MOST_LAYERS = 3;
// The user name and the password of an address; the `git@` of a repository is neither.
const CREDENTIALS_OF_ADDRESS = /(?<=:\/\/)(?!git@)[^\s/?#"<>`]+(?=@)/g;

/** True for a value that cannot be taken out of texts: it would take ordinary words along. */
export function isTooCommonToMask(value: string): boolean {
  return value.trim().length < LEAST_LENGTH || NO_SECRETS.has(value.toLowerCase());
}

/**
 * Puts `***` in the place of secrets, however they are written: as they are, as in a URL, as in JSON, each character on
 * its own, also one way within another; and of the user names and passwords in addresses, which no reader needs.
 */
export class SecretMask {
  readonly #evenCommon: boolean;
  readonly #words = new Set<string>();

  /**
   * `evenCommon`: also values that are short or common, which then must stand alone as a word. For texts that are about
   * the secrets, and no others.
   */
  constructor({ evenCommon = false }: { readonly evenCommon?: boolean } = {}) {
    this.#evenCommon = evenCommon;
  }

  /** Learns a secret and each of its lines; returns its usual spellings, for others who mask literal texts. */
  add(secret: string): readonly string[] {
    const parts = [secret, ...secret.split(/\r?\n/)].flatMap((part) => [part, part.toWellFormed(), urlDecoded(part)]);
    const forms = parts.flatMap((part) => [
      part,
      encodeURIComponent(part.toWellFormed()),
      JSON.stringify(part).slice(1, -1),
    ]);
    // A form of a web page has a plus for a blank.
    for (const word of parts.flatMap((part) => [part, part.replaceAll(" ", "+")])) {
      if (this.#evenCommon ? word.trim() !== "" : !isTooCommonToMask(word)) this.#words.add(word);
    }
    return [...new Set(forms)].filter((form) => !isTooCommonToMask(form));
  }

  /** The text with `***` for each secret in it. */
  text(text: string): string {
    let found: Range[] = [];
    let layer: Layer | undefined = { text };
    for (let depth = 0; layer && depth <= MOST_LAYERS; depth += 1) {
      found = [...found, ...this.#rangesIn(layer)];
      layer = unescaped(layer);
    }
    return withMarks(text, found, "***");
  }

  #rangesIn({ text, starts, ends }: Layer): readonly Range[] {
    const ranges: Range[] = [];
    const take = (from: number, to: number): void => {
      ranges.push({ from: starts?.[from] ?? from, to: ends?.[to - 1] ?? to });
    };
    for (const word of this.#words) {
      const isCommon = isTooCommonToMask(word);
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const standsAlone = () =>
          !/[\p{L}\p{N}_]$/u.test(text.slice(Math.max(0, at - 2), at)) &&
          !/^[\p{L}\p{N}_]/u.test(text.slice(at + word.length));
        if (!isCommon || standsAlone()) take(at, at + word.length);
      }
    }
    for (const { from, to } of rangesOf(text, CREDENTIALS_OF_ADDRESS)) take(from, to);
    return ranges;
  }
}

/** A text, and where each of its UTF-16 units began and ended in the first one; the first itself without. */
interface Layer {
  readonly text: string;
  readonly starts?: readonly number[];
  readonly ends?: readonly number[];
}

/** The text with one layer of escapes undone; undefined when there is none. */
function unescaped({ text, starts: oldStarts, ends: oldEnds }: Layer): Layer | undefined {
  let undone = "";
  const starts: number[] = [];
  const ends: number[] = [];
  const put = (piece: string, from: number, to: number | undefined): void => {
    undone += piece;
    for (let unit = 0; unit < piece.length; unit += 1) {
      const [first, last] = to === undefined ? [from + unit, from + unit] : [from, to - 1];
      starts.push(oldStarts?.[first] ?? first);
      ends.push(oldEnds?.[last] ?? last + 1);
    }
  };
  let next = 0;
  for (const { 0: escape, index } of text.matchAll(ESCAPE)) {
    const character = characterOf(escape);
    if (character === undefined) continue;
    put(text.slice(next, index), next, undefined);
    next = index + escape.length;
    put(character, index, next);
  }
  if (next === 0) return undefined;
  put(text.slice(next), next, undefined);
  return { text: undone, starts, ends };
}

function characterOf(escape: string): string | undefined {
  if (escape.startsWith("%")) {
    const decoded = urlDecoded(escape);
    return decoded === escape ? undefined : decoded;
  }
  return String(JSON.parse(`"${escape.toLowerCase()}"`));
}
