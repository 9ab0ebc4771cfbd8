/** Whether a module has a name, as far as its syntax shows; `unknown` where it may be made while the module runs. */
export type NameVerdict = "there" | "missing" | "unknown";

// What can give a module a name that its text does not hold.
const DYNAMIC =
  /(?<![\w.])(?:globals|locals|vars|exec|setattr|__import__|__getattr__|importlib)(?!\w)|(?<!\w)sys\s*\.\s*modules|(?<!\w)import\s*\(?\s*\*/;
const DEFINITION = /^(?:async\s+)?(?:def|class)\s+(\w+)/;

/** Looks for a name of a Python module: what its top level defines, assigns or imports. Nothing is run. */
export function findPythonName(text: string, name: string): NameVerdict {
  const code = withoutStrings(text);
  if (code === undefined || DYNAMIC.test(code)) return "unknown";
  // The indent of the definition whose body is read.
  let scope = Infinity;
  for (const { indent, line } of logicalLines(code)) {
    if (indent > scope) {
      if (/^global\s/.test(line) && mentions(line, name)) return "there";
      continue;
    }
    const definition = DEFINITION.exec(line);
    scope = definition === null ? Infinity : indent;
    // Any mention will do: a use of the name shows that it is there as well as its making does.
    if (definition === null ? mentions(line, name) : definition[1] === name) return "there";
  }
  return "missing";
}

const TEXTS = /#[^\n]*|("""|''')(?:[^\\]|\\[^])*?\1|"""|'''|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|["']/g;

/** The text without comments and without what strings hold; undefined where a string does not end. */
function withoutStrings(text: string): string | undefined {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(TEXTS)) {
    // At once: to look on behind each string without an end would take the square of the time.
    if (/^(?:"""|'''|["'])$/.test(found)) return undefined;
    parts.push(text.slice(from, index), found.startsWith("#") ? "" : '""');
    from = index + found.length;
  }
  return [...parts, text.slice(from)].join("");
}

interface LogicalLine {
  readonly indent: number;
  readonly line: string;
}

/** Lines with all that brackets and backslashes carry on with, without blank ones. */
function* logicalLines(code: string): Generator<LogicalLine, void, void> {
  let parts: string[] = [];
  let depth = 0;
  for (const part of code.split(/\r\n|[\n\r\f]/)) {
    parts.push(part);
    for (const [bracket] of part.matchAll(/[()[\]{}]/g)) depth += "([{".includes(bracket) ? 1 : -1;
    if (depth > 0 || part.endsWith("\\")) continue;
    yield* lineOf(parts);
    parts = [];
    depth = 0;
  }
  yield* lineOf(parts);
}

function lineOf(parts: readonly string[]): readonly LogicalLine[] {
  const text = parts.join(" ").replaceAll("\t", " ".repeat(8));
  const line = text.trim();
  return line === "" ? [] : [{ indent: text.length - text.trimStart().length, line }];
}

// Not as an attribute: `builder.graph` is not a name of the module.
function mentions(line: string, name: string): boolean {
  return line.split(/[^\w.]+/).some((word) => word === name || word.startsWith(`${name}.`));
}
