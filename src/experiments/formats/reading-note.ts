import type { MappedPath } from "../mapped-paths.ts";
import type { ColumnRole } from "../columns.ts";
import { quoted } from "../quoted-name.ts";

/** A column, and what it is. */
export interface NotedColumn {
  readonly name: string;
  readonly role: ColumnRole;
}

/** One sentence about what each column is, for the log: `… : inputs from \`question\`; scores from \`a\`, \`b\`.` */
export function readingNote(begin: string, columns: readonly NotedColumn[], unread: readonly string[]): string {
  const groups = new Map<string, string[]>();
  for (const { name, role } of columns) {
    const word = wordOf(role, name);
    const names = groups.get(word);
    // A file may have any number of columns.
    if (names === undefined) groups.set(word, [quoted(name)]);
    else names.push(quoted(name));
  }
  const read = [...groups].map(([word, names]) => `${word} ${listOf(names)}`);
  const empty = unread.length === 0 ? [] : [`not read ${listOf(unread.map(quoted))}`];
  return `${begin}: ${[...read, ...empty].join("; ")}.`;
}

/** The same for a mapping; `unread` are the columns that it does not name. */
export function mappingNote(file: string, paths: readonly MappedPath[], unread: readonly string[]): string {
  const columns = paths.map(({ path, role }) => ({ name: path, role }));
  return readingNote(`${file} is read by the mapping`, columns, unread);
}

const MOST_NAMES = 20;

function listOf(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return more > 0 ? `${names.slice(0, MOST_NAMES).join(", ")} and ${String(more)} more` : names.join(", ");
}

function wordOf(role: ColumnRole, name: string): string {
  switch (role.part) {
    case "latency":
      if (role.unitMilliseconds === 1) return "latency (milliseconds) from";
      return /latency$/i.test(name) ? "latency (seconds, as the name says no unit) from" : "latency (seconds) from";
    case "start":
      return "start from";
    case "end":
      return "end from";
    case "score":
    case "scores":
      return "scores from";
    case "skipped":
      return "left out";
    case "expected":
      return "expected outputs from";
    default:
      return `${role.part} from`;
  }
}
