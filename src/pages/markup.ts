/** HTML that may stand in a page as it is. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template may hold: all but Markup is text, and is escaped. */
export type Content = Markup | string | number | false | undefined | readonly Content[];

/** A template of HTML: what is put into it is escaped, so that foreign text never acts. */
export function markup(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(parts.reduce((text, part, at) => `${text}${textOf(contents[at - 1])}${part}`));
}

/** A sentence in which names stand in backticks: they become code. */
export function prose(sentence: string): Markup {
  const parts = sentence.split("`");
  // An odd one is part of a name.
  if (parts.length % 2 === 0) return markup`${sentence}`;
  return markup`${parts.map((part, at) => (at % 2 === 0 ? part : markup`<code>${part}</code>`))}`;
}

/** JSON for a script element that is never run: it holds no character that could end the element. */
export function jsonMarkup(value: unknown): Markup {
  return new Markup(
    JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
    }),
  );
}

/** True for content that shows nothing. */
export function isEmpty(content: Content): boolean {
  return textOf(content) === "";
}

/** Pieces with a text between each two; empty ones are left out. */
export function joined(pieces: readonly Content[], between: string): Markup {
  const shown = pieces.filter((piece) => !isEmpty(piece));
  return markup`${shown.map((piece, at) => [at > 0 && between, piece])}`;
}

// Fit for elements, and for attributes in quotes.
function textOf(content: Content): string {
  if (content === undefined || content === false) return "";
  if (content instanceof Markup) return content.text;
  if (typeof content === "number") return String(content);
  if (typeof content !== "string") return content.map(textOf).join("");
  return content.toWellFormed().replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
