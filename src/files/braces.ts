// With more of them a pattern is a list of files in other words.
const MOST_PATTERNS = 1_000;

// Escaped, a brace stands for itself.
const TOKEN = /[{},]|(?:\\[^]|[^{},\\])+|\\/g;

/** The texts of the parts of a group between its commas; the last part is still being read. */
interface Group {
  readonly finished: (readonly string[])[];
  texts: readonly string[];
}

/**
 * The patterns that one with braces stands for: `{a,b}` and `{1..4}`, also within each other. Undefined when they are
 * more than a thousand.
 */
export function expandBraces(pattern: string): readonly string[] | undefined {
  const opening = openingBraces(pattern);
  const outer: Group[] = [];
  let group: Group = { finished: [], texts: [""] };
  for (const { 0: token, index } of pattern.matchAll(TOKEN)) {
    const above = outer.at(-1);
    if (token === "{" && opening.has(index)) {
      outer.push(group);
      group = { finished: [], texts: [""] };
    } else if (token === "," && above !== undefined) {
      group.finished.push(group.texts);
      group.texts = [""];
    } else {
      let choices: readonly string[] | undefined = [token];
      if (token === "}" && above !== undefined) {
        choices = choicesOf(group);
        group = above;
        outer.pop();
      }
      if (choices === undefined || group.texts.length * choices.length > MOST_PATTERNS) return undefined;
      const tails = choices;
      group.texts = group.texts.flatMap((text) => tails.map((tail) => text + tail));
    }
  }
  return group.texts;
}

/** Where a brace opens that another one closes; one without the other stands for itself. */
function openingBraces(pattern: string): ReadonlySet<number> {
  const open: number[] = [];
  const closed = new Set<number>();
  for (const { 0: token, index } of pattern.matchAll(TOKEN)) {
    if (token === "{") open.push(index);
    const last = token === "}" ? open.pop() : undefined;
    if (last !== undefined) closed.add(last);
  }
  return closed;
}

function choicesOf({ finished, texts }: Group): readonly string[] | undefined {
  const all = [...finished, texts].flat();
  if (finished.length > 0) return all;
  const [, first, last] = /^(\d{1,15})\.\.(\d{1,15})$/.exec(texts.join()) ?? [];
  return first === undefined || last === undefined ? all.map((text) => `{${text}}`) : numbersFrom(first, last);
}

function numbersFrom(first: string, last: string): readonly string[] | undefined {
  const count = Math.abs(Number(last) - Number(first)) + 1;
  if (count > MOST_PATTERNS) return undefined;
  const step = Number(first) <= Number(last) ? 1 : -1;
  const isPadded = [first, last].some((end) => end.length > 1 && end.startsWith("0"));
  const width = isPadded ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: count }, (_, index) => String(Number(first) + step * index).padStart(width, "0"));
}
