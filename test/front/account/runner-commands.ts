// The names that a runner acts on: ActionCommandManager in actions/runner 2.336.
const REGISTERED = new Set(
  (
    "set-env set-output save-state add-mask add-path add-matcher remove-matcher debug warning error notice group " +
    "endgroup echo stop-commands internal-set-repo-path"
  ).split(" "),
);

export interface RunnerCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

/** The lines that a runner reads from a text: TextReader.ReadLine ends them at CR, LF and CRLF. */
export function runnerLines(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

/**
 * The command that a runner finds in a line, by the rules of its ActionCommand.cs. Its searches compare by culture,
 * which looks through characters without weight; all that could be one is taken out first.
 */
export function commandIn(line: string): RunnerCommand | undefined {
  const seen = line.replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, "");
  return colonCommand(seen.trimStart()) ?? bracketCommand(seen);
}

function colonCommand(line: string): RunnerCommand | undefined {
  const end = line.startsWith("::") ? line.indexOf("::", 2) : -1;
  if (end < 0) return undefined;
  const [name = "", ...rest] = line.slice(2, end).split(" ");
  if (!REGISTERED.has(name)) return undefined;
  const pairs = rest.join(" ").split(",").filter(Boolean);
  const properties = Object.fromEntries(
    pairs.map((pair) => {
      const [key = "", ...value] = pair.split("=");
      return [key.trim(), unescape(value.join("="))];
    }),
  );
  return { name, properties, data: unescape(line.slice(end + 2)) };
}

function bracketCommand(line: string): RunnerCommand | undefined {
  const start = line.indexOf("##[");
  const end = start < 0 ? -1 : line.indexOf("]", start);
  if (end < 0) return undefined;
  const [name = ""] = line.slice(start + 3, end).split(" ");
  return REGISTERED.has(name) ? { name, properties: {}, data: unescape(line.slice(end + 1)) } : undefined;
}

function unescape(text: string): string {
  return text
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",")
    .replaceAll("%0D", "\r")
    .replaceAll("%0A", "\n")
    .replaceAll("%25", "%");
}
