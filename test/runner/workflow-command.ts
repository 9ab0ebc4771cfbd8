/** A command that a line of output gives to the runner, such as `::error title=T::message`. */
export interface WorkflowCommand {
  /** In lower case: the runner does not care. */
  readonly name: string;
  readonly properties: ReadonlyMap<string, string>;
  readonly data: string;
}

/** The commands that a runner obeys (ActionCommandManager.cs); `internal-set-repo-path` is for its plugins only. */
export const registeredCommands: readonly string[] = [
  "add-mask",
  "add-matcher",
  "add-path",
  "debug",
  "echo",
  "endgroup",
  "error",
  "group",
  "notice",
  "remove-matcher",
  "save-state",
  "set-env",
  "set-output",
  "stop-commands",
  "warning",
];

// What .NET's TrimStart takes away: JavaScript's also takes U+FEFF, and leaves U+0085.
const dotnetSpace = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/**
 * Reads a line by the runner's two rules (ActionCommand.cs, TryParseV2 and TryParse): a line that begins with
 * `::name …::` after white space, or one that has `##[name …]` anywhere. `names` are those that are obeyed just now.
 */
export function parseCommand(line: string, names: ReadonlySet<string>): WorkflowCommand | undefined {
  return parseColons(line, names) ?? parseBrackets(line, names);
}

function parseColons(line: string, names: ReadonlySet<string>): WorkflowCommand | undefined {
  const text = line.replace(dotnetSpace, "");
  const end = text.startsWith("::") ? text.indexOf("::", 2) : -1;
  if (end < 0) return undefined;
  return command(text.slice(2, end), text.slice(end + 2), names, { separator: ",", escapes: ["%3A", "%2C"], data: [] });
}

function parseBrackets(line: string, names: ReadonlySet<string>): WorkflowCommand | undefined {
  const start = line.indexOf("##[");
  const end = start < 0 ? -1 : line.indexOf("]", start);
  if (end < 0) return undefined;
  const escapes = ["%3B", "%5D"];
  return command(line.slice(start + 3, end), line.slice(end + 1), names, { separator: ";", escapes, data: escapes });
}

interface Dialect {
  readonly separator: string;
  /** What is escaped in a property, and in the data, beside line ends and the percent sign. */
  readonly escapes: readonly string[];
  readonly data: readonly string[];
}

function command(
  info: string,
  data: string,
  names: ReadonlySet<string>,
  dialect: Dialect,
): WorkflowCommand | undefined {
  const space = info.indexOf(" ");
  const name = (space < 0 ? info : info.slice(0, space)).toLowerCase();
  if (!names.has(name)) return undefined;
  const properties = new Map<string, string>();
  for (const pair of space > 0
    ? info
        .slice(space + 1)
        .trim()
        .split(dialect.separator)
    : []) {
    const equals = pair.indexOf("=");
    // A name or a value that is empty makes no pair.
    if (equals > 0 && equals < pair.length - 1) {
      properties.set(pair.slice(0, equals).toLowerCase(), unescape(pair.slice(equals + 1), dialect.escapes));
    }
  }
  return { name, properties, data: unescape(data, dialect.data) };
}

function unescape(text: string, more: readonly string[]): string {
  // The percent sign is last, as in the runner, so that an escaped escape stays one.
  return ["%0D", "%0A", ...more, "%25"].reduce((result, token) => {
    return result.replaceAll(token, String.fromCharCode(Number.parseInt(token.slice(1), 16)));
  }, text);
}
