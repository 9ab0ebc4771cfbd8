import type { LineCursor, Token } from "./line-cursor.ts";

function isWord(token: Token | undefined): token is Token {
  return token?.kind === "name" && !token.isQuoted && !TEST_WORDS.has(token.text);
}

/** A name with the words that were taken after it, and those that follow, in quotes. */
export function quotedName(cursor: LineCursor, first: Token): string {
  let last = cursor.last ?? first;
  for (let token = cursor.peek(); isWord(token); token = cursor.peek()) last = cursor.take(token);
  return `"${cursor.textOf(first, last)}"`;
}

/** Fails for a name that goes on after a space, up to one of these symbols. */
export function checkQuotes(cursor: LineCursor, first: Token, ends: readonly string[]): void {
  let words = 0;
  while (isWord(cursor.peek(words))) words += 1;
  if (words === 0 || first.isQuoted || !ends.includes(cursor.peek(words)?.text ?? "")) return;
  const name = quotedName(cursor, first);
  cursor.fail({ ...first, length: name.length - 2 }, "has a name with a space", `quote it: \`${name}\``);
}

const TEST_WORDS: ReadonlySet<string> = new Set(["drop", "rise", "not"]);
