/** What is wrong with a text that is not JSON, to be read after "it is not JSON". */
export function describeJsonMistake(text: string, error: unknown): string {
  const found = findMistake(text);
  if (found !== undefined) return `: ${found.what} (${placeAt(text, found.index)})`;
  // V8 quotes the text around the error, which may be the value of a secret: only the place is said.
  const message = error instanceof Error ? error.message : "";
  const place = /line \d+ column \d+/.exec(message)?.[0];
  if (place !== undefined) return ` (${place})`;
  const position = /at position (\d+)/.exec(message)?.[1];
  return position === undefined ? "" : ` (${placeAt(text, Number(position))})`;
}

interface Mistake {
  readonly what: string;
  readonly index: number;
}

const SPACE = /[\t\n\r ]*/y;
const TOKEN = /"(?:[^"\\]|\\[^])*"|[\w.+-]+|[{}[\]:,]/y;

/** What people write because other languages take it: the first such place, or undefined where there is none. */
function findMistake(text: string): Mistake | undefined {
  let comma: number | undefined;
  for (let index = skip(text, 0); index < text.length;) {
    if (/^(?:\/[/*]|#)/.test(text.slice(index, index + 2))) return { what: "remove the comment", index };
    if (text[index] === "'") return { what: "write strings in double quotes", index };
    TOKEN.lastIndex = index;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return undefined;
    if (comma !== undefined && (token === "}" || token === "]")) {
      return { what: "remove the trailing comma", index: comma };
    }
    comma = token === "," ? index : undefined;
    index = skip(text, index + token.length);
  }
  return undefined;
}

function skip(text: string, index: number): number {
  SPACE.lastIndex = index;
  return index + (SPACE.exec(text)?.[0].length ?? 0);
}

function placeAt(text: string, index: number): string {
  const before = text.slice(0, index).split(/\r\n|[\n\r]/);
  return `line ${String(before.length)} column ${String((before.at(-1)?.length ?? 0) + 1)}`;
}
