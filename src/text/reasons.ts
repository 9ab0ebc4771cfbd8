import { cut } from "./foreign-text.ts";
import { countText } from "./number.ts";

// An annotation holds 4096 characters, and a sentence with several reasons should hold more than the first of them.
const MOST_CHARACTERS = 1_000;
const MOST_OF_REASON = 200;

/** As many reasons as one sentence can hold, `a; b; and 3 more`; `more` is how many there are besides. */
export function reasonsText(reasons: readonly string[], more = 0): string {
  let left = MOST_CHARACTERS;
  const shown: string[] = [];
  for (const reason of reasons) {
    const part = cut(reason, MOST_OF_REASON);
    left -= part.length + 2;
    if (left < 0) break;
    shown.push(part);
  }
  const rest = reasons.length - shown.length + more;
  return [...shown, ...(rest > 0 ? [`and ${countText(rest)} more`] : [])].join("; ");
}

/** For a sentence that continues, or that stands within another one. */
export function withoutFullStop(sentence: string): string {
  return sentence.replace(/\.$/, "");
}

/** For a clause that stands alone; one that ends as a sentence does stays as it is. */
export function withFullStop(clause: string): string {
  return /[.!?…]$/u.test(clause) ? clause : `${clause}.`;
}

/** A clause as a sentence. */
export function sentenceOf(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

/** What an error says; anything else that was thrown, as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
