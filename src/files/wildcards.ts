/** A step of a pattern: what it matches at one place of a text. */
export type WildcardStep =
  | { readonly kind: "char"; readonly code: number }
  | { readonly kind: "one"; readonly holds: (code: number) => boolean }
  /** Any characters or none; slashes only when it crosses directories. */
  | { readonly kind: "run"; readonly crosses: boolean }
  /** Nothing, or all up to a slash, and the slash. */
  | { readonly kind: "folders" };

const SLASH = 47;

/** The step for one character that is not a slash: `?`. */
export const ANY_CHAR: WildcardStep = { kind: "one", holds: (code) => code !== SLASH };

/**
 * A pattern with wildcards, which a whole text matches or not. A regular expression would try every way to share the
 * text among the wildcards; this takes the steps times the characters at most, whatever the pattern is.
 */
export class Wildcards {
  readonly #steps: readonly WildcardStep[];
  /** Which of the first steps match the empty text: index 0 is none of them. */
  readonly #start: Uint8Array;
  readonly #fewest: number;
  readonly #needle: string;

  constructor(steps: readonly WildcardStep[]) {
    this.#steps = steps;
    const needed = steps.findIndex(({ kind }) => kind === "char" || kind === "one");
    this.#start = new Uint8Array(steps.length + 1).fill(1, 0, (needed === -1 ? steps.length : needed) + 1);
    this.#fewest = steps.filter(({ kind }) => kind === "char" || kind === "one").length;
    let longest = "";
    let literal = "";
    for (const step of steps) {
      literal = step.kind === "char" ? literal + String.fromCodePoint(step.code) : "";
      if (literal.length > longest.length) longest = literal;
    }
    this.#needle = longest;
  }

  matches(text: string): boolean {
    // Most texts end here: a search for a piece costs next to nothing.
    if (text.length < this.#fewest || !text.includes(this.#needle)) return false;
    const reached = this.#start.slice();
    const inside = new Uint8Array(reached.length);
    for (const char of text) {
      if (!this.#advance(char.codePointAt(0) ?? 0, reached, inside)) return false;
    }
    return reached.at(-1) === 1;
  }

  /** Takes one character: `reached` says then which of the first steps match all up to it. False when none can. */
  #advance(code: number, reached: Uint8Array, inside: Uint8Array): boolean {
    let before = reached[0] === 1;
    reached[0] = 0;
    let alive = false;
    for (let index = 1; index < reached.length; index++) {
      const step = this.#steps[index - 1];
      const here = reached[index] === 1;
      const skips = reached[index - 1] === 1;
      let now: boolean;
      if (step?.kind === "char") now = before && code === step.code;
      else if (step?.kind === "one") now = before && step.holds(code);
      else if (step?.kind === "run") now = skips || (here && (step.crosses || code !== SLASH));
      else {
        if (before) inside[index] = 1;
        now = skips || (inside[index] === 1 && code === SLASH);
        alive ||= inside[index] === 1;
      }
      reached[index] = now ? 1 : 0;
      alive ||= now;
      before = here;
    }
    return alive;
  }
}
