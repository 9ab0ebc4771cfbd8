/** The longest file that is looked into, characters: what defines a graph is short. */
export const LONGEST_GRAPH_FILE = 256 * 1024;

/** Whether a source file exports a name, as far as its syntax shows. */
export function findExport(file: string, text: string, name: string): NameVerdict {
  if (!/^[A-Za-z_$][\w$]*$/.test(name) || text.includes("\uFFFD")) return "unknown";
  if (text.length > LONGEST_GRAPH_FILE) return "unknown";
  if (file.endsWith(".py")) return findPythonName(text, name);
  return /\.m?[jt]s$/.test(file) ? findScriptExport(text, name) : "unknown";
}

// What exports without the keyword, or names that the text does not hold.
const DYNAMIC = /\bexport\s*(?:=|\*\s*from)|(?<![\w$.])(?:module|exports|require|__esModule)(?![\w$])/;
const EXPORT = /(?<![\w$.])export(?![\w$])(?!\s*:)/g;
const DECLARED =
  /^\s*(?:declare\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\b\s*\*?|class\b|(?:const\s+)?enum\b|namespace\b|type\b|interface\b|import\b)\s*([\w$]+)/;
const VARIABLES = /^\s*(?:declare\s+)?(?:const|let|var)\b/;
const CLAUSE = /^\s*(?:type\s*)?(?:\{([^}]*)\}|\*\s*as\s+([\w$]+))/;

/** Looks for an export of a module of JavaScript or TypeScript. Nothing is run. */
function findScriptExport(text: string, name: string): NameVerdict {
  const code = withoutTexts(text);
  if (code === undefined || DYNAMIC.test(code)) return "unknown";
  const starts = [...code.matchAll(EXPORT)].map(({ index }) => index + "export".length);
  // Each is read up to the next one.
  const verdicts = starts.map((start, index) => lookAt(code.slice(start, starts[index + 1]), name));
  return (
    verdicts.find((verdict) => verdict === "there") ?? verdicts.find((verdict) => verdict === "unknown") ?? "missing"
  );
}

function lookAt(statement: string, name: string): NameVerdict {
  if (/^\s*default\b/.test(statement)) return verdictOf(name === "default");
  const declared = DECLARED.exec(statement)?.[1];
  if (declared !== undefined) return verdictOf(declared === name);
  if (VARIABLES.test(statement)) return verdictOf(wordsOf(declaration(statement)).includes(name));
  const [, names, namespace] = CLAUSE.exec(statement) ?? [];
  if (namespace !== undefined) return verdictOf(namespace === name);
  // A name may be written as a string, whose content is gone here.
  if (names === undefined || names.includes('"')) return "unknown";
  return verdictOf(names.split(",").some((part) => wordsOf(part).at(-1) === name));
}

function verdictOf(isThere: boolean): NameVerdict {
  return isThere ? "there" : "missing";
}

function wordsOf(code: string): readonly string[] {
  return code.match(/[\w$]+/g) ?? [];
}

/** The names and patterns of a declaration of variables, without their values. */
function declaration(statement: string): string {
  let depth = 0;
  let isValue = false;
  let kept = "";
  for (const sign of statement) {
    if (")]}".includes(sign)) depth -= 1;
    if (depth === 0 && sign === ";") break;
    if (depth === 0 && (sign === "=" || sign === ",")) isValue = sign === "=";
    if (!isValue) kept += sign;
    if ("([{".includes(sign)) depth += 1;
  }
  return kept;
}

const TEXTS =
  /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|`(?:[^`\\$]|\\[^]|\$(?!\{)|\$\{[^`{}]*\})*`|["'`/]/g;
const EXPRESSION = /(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y;
// A slash behind one of these begins a regular expression; behind a value it divides.
const BEFORE_EXPRESSION =
  /(?:^|[=(,:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|delete|void|throw|new|do|else|await|yield))\s*$/;
const LOOK_BACK = 64;

/** The text without comments and without what strings and expressions hold; undefined where that is ambiguous. */
function withoutTexts(text: string): string | undefined {
  const parts: string[] = [];
  let from = 0;
  TEXTS.lastIndex = 0;
  for (let match = TEXTS.exec(text); match !== null; match = TEXTS.exec(text)) {
    const [found] = match;
    const code = text.slice(from, match.index);
    const isComment = /^\/[/*]/.test(found);
    if (found.length > 1) parts.push(code, isComment ? " " : '""');
    else {
      // A string without its end, a comment without its end, or values within values of a template.
      if (found !== "/" || text.startsWith("/*", match.index)) return undefined;
      const before = `${parts.at(-1) ?? ""}${code}`.slice(-LOOK_BACK);
      const isExpression = BEFORE_EXPRESSION.test(before);
      EXPRESSION.lastIndex = TEXTS.lastIndex;
      if (isExpression && !EXPRESSION.test(text)) return undefined;
      parts.push(code, isExpression ? '""' : "/");
      if (isExpression) TEXTS.lastIndex = EXPRESSION.lastIndex;
    }
    from = TEXTS.lastIndex;
  }
  return [...parts, text.slice(from)].join("");
}

/** Whether a module has a name, as far as its syntax shows; `unknown` where it may be made while the module runs. */
export type NameVerdict = "there" | "missing" | "unknown";

// What can give a module a name that its text does not hold.
const PYTHON_DYNAMIC =
  /(?<![\w.])(?:globals|locals|vars|exec|setattr|__import__|__getattr__|importlib)(?!\w)|(?<!\w)sys\s*\.\s*modules|(?<!\w)import\s*\(?\s*\*/;
const DEFINITION = /^(?:async\s+)?(?:def|class)\s+(\w+)/;

/** Looks for a name of a Python module: what its top level defines, assigns or imports. Nothing is run. */
export function findPythonName(text: string, name: string): NameVerdict {
  const code = withoutStrings(text);
  if (code === undefined || PYTHON_DYNAMIC.test(code)) return "unknown";
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

const PYTHON_TEXTS = /#[^\n]*|("""|''')(?:[^\\]|\\[^])*?\1|"""|'''|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|["']/g;

/** The text without comments and without what strings hold; undefined where a string does not end. */
function withoutStrings(text: string): string | undefined {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(PYTHON_TEXTS)) {
    // At once: to look on behind each string without an end would take the square of the time.
    if (/^(?:"""|'''|["'])$/.test(found)) return undefined;
    parts.push(text.slice(from, index), found.startsWith("#") ? "" : '""');
    from = index + found.length;
  }
  return [...parts, text.slice(from)].join("");
}

/** Lines with all that brackets and backslashes carry on with, without blank ones. */
function* logicalLines(code: string) {
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

function lineOf(parts: readonly string[]) {
  const text = parts.join(" ").replaceAll("\t", " ".repeat(8));
  const line = text.trim();
  return line === "" ? [] : [{ indent: text.length - text.trimStart().length, line }];
}

// Not as an attribute: `builder.graph` is not a name of the module.
function mentions(line: string, name: string): boolean {
  return line.split(/[^\w.]+/).some((word) => word === name || word.startsWith(`${name}.`));
}
