/**
 * Reads what an action wrote to GITHUB_OUTPUT, GITHUB_STATE or GITHUB_ENV, by the runner's rules
 * (EnvFileKeyValuePairs in FileCommandManager.cs): `NAME=value`, or `NAME<<DELIMITER`, lines, `DELIMITER`, where the
 * sign that comes first decides. A later value of a name replaces an earlier one.
 *
 * @throws Error with the runner's own sentence: the step then fails.
 */
export function parseFileCommand(text: string): Map<string, string> {
  const pairs = new Map<string, string>();
  let line = readLine(text, 0);
  while (line !== undefined) {
    if (line.text !== "") {
      const pair = readPair(text, line);
      pairs.set(pair.key, pair.value);
      line = { ...line, next: pair.next };
    }
    line = readLine(text, line.next);
  }
  return pairs;
}

interface Line {
  readonly text: string;
  /** Its end, empty at the end of the file. */
  readonly newline: string;
  /** Where the next line begins. */
  readonly next: number;
}

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly next: number;
}

function readPair(text: string, line: Line): Pair {
  const equals = line.text.indexOf("=");
  const heredoc = line.text.indexOf("<<");
  if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
    return { key: line.text.slice(0, equals), value: line.text.slice(equals + 1), next: line.next };
  }
  if (heredoc < 0) throw new Error(`Invalid format '${line.text}'`);
  const key = line.text.slice(0, heredoc);
  const delimiter = line.text.slice(heredoc + 2);
  if (key === "" || delimiter === "") {
    throw new Error(`Invalid format '${line.text}'. Name must not be empty and delimiter must not be empty`);
  }
  return { key, ...readHeredoc(text, line.next, delimiter) };
}

function readHeredoc(text: string, start: number, delimiter: string): { value: string; next: number } {
  let end = start;
  for (let line = readLine(text, start); line !== undefined; line = readLine(text, line.next)) {
    if (line.text === delimiter) return { value: text.slice(start, end), next: line.next };
    if (line.newline === "") throw new Error("Invalid value. EOF marker missing new line.");
    end = line.next - line.newline.length;
  }
  throw new Error(`Invalid value. Matching delimiter not found '${delimiter}'`);
}

function readLine(text: string, start: number): Line | undefined {
  if (start >= text.length) return undefined;
  const feed = text.indexOf("\n", start);
  if (feed < 0) return { text: text.slice(start), newline: "", next: text.length };
  // Only the runner for Windows knows CRLF; elsewhere the CR belongs to the value.
  const newline = process.platform === "win32" && text[feed - 1] === "\r" && feed > start ? "\r\n" : "\n";
  return { text: text.slice(start, feed + 1 - newline.length), newline, next: feed + 1 };
}
