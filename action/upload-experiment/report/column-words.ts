import type { ColumnReading, NotedColumn, ColumnRole } from "../../../src/experiments/rows/columns.ts";
import { quotedName } from "../../../src/text/quoted.ts";
import { nameList } from "./experiment-words.ts";

/** The parts of a row in the order in which a reader wants to check them; parts that are not here stand behind them. */
const ORDER: readonly ColumnRole["part"][] = ["inputs", "expected", "outputs", "score", "scores", "id", "error"];
const LAST: readonly ColumnRole["part"][] = ["metadata", "skipped"];

/** What each column is: ``inputs from `question`; scores from `feedback.exact` → `exact`; not read `x` ``. */
export function columnsText({ columns, unread }: ColumnReading): string {
  const sorted = columns.toSorted((one, other) => placeOf(one.role) - placeOf(other.role));
  const groups = Map.groupBy(sorted, ({ name, role }) => wordOf(role, name));
  const read = [...groups].map(([word, group]) => `${word} ${nameList(group.map(columnText))}`);
  return [...read, ...(unread.length === 0 ? [] : [`not read ${nameList(unread.map(quotedName))}`])].join("; ");
}

function placeOf({ part }: ColumnRole): number {
  const place = ORDER.indexOf(part);
  return place >= 0 ? place : ORDER.length + LAST.indexOf(part) + 1;
}

/** The column, with the name that its values got where it is another one, and what it was not taken for. */
function columnText({ name, role, passedOver }: NotedColumn): string {
  if (passedOver !== undefined) return `${quotedName(name)} (passed over for ${quotedName(passedOver.taken)})`;
  const key = "key" in role ? role.key : undefined;
  const isSaid = key === undefined || key === name || (role.part !== "score" && name.endsWith(`.${key}`));
  return isSaid ? quotedName(name) : `${quotedName(name)} → ${quotedName(key)}`;
}

function wordOf(role: ColumnRole, name: string): string {
  switch (role.part) {
    case "latency":
      if (role.unitMilliseconds === 1) return "latency (milliseconds) from";
      return /latency$/i.test(name) ? "latency (taken as seconds) from" : "latency (seconds) from";
    case "score":
    case "scores":
      return "scores from";
    case "skipped":
      return "left out";
    case "usage":
      return "token counts from";
    default:
      return `${role.part} from`;
  }
}
