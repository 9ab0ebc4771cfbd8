import { DataFileError, type FilePlace } from "../../../files/json/errors.ts";
import { quotedName } from "../../../text/quoted.ts";
import { PromptfooColumns } from "./columns.ts";

/** A column of a table. */
export interface Column {
  readonly at: number;
  readonly name: string;
}

/** The columns of one prompt and one provider. */
export interface Group {
  readonly prompt: string;
  /** Which prompt of its provider it is, from 0. */
  readonly position: number;
  readonly provider: string;
  readonly output: number;
  readonly status: number;
  readonly score: number;
  readonly named: number;
  readonly metrics: readonly Column[];
  readonly reason: number;
}

/** What the columns of promptfoo's table are. */
export type Headings = ReturnType<typeof readHeadings>;

const [REASONING, STATUS, SCORE, NAMED] = ["Reasoning", "Status", "Score", "Named Scores"];
const [REASON, COMMENT] = ["Grader Reason", "Comment"];
const FIXED: ReadonlySet<string> = new Set([REASONING, STATUS, SCORE, NAMED, REASON, COMMENT]);
const METRIC = "Metric: ";
const RED_TEAM: ReadonlySet<string> = new Set([
  ...["Messages", "RedteamHistory", "RedteamTreeHistory", "pluginId", "strategyId", "sessionId", "sessionIds"],
]);

/** What is read of each version. */
export const AS_JSON = "Write the results as JSON with `promptfoo eval -o results.json`.";

/** True for the headings of promptfoo's table, which repeats its columns for each prompt; one of them may be new. */
export function isPromptfooHeader(header: readonly string[]): boolean {
  return (
    [STATUS, SCORE].every((name) => header.includes(name)) && [NAMED, REASON].some((name) => header.includes(name))
  );
}

/**
 * Reads the headings: vars, a group for each prompt, and the metadata of a red team. Throws DataFileError for one that
 * is none of these: a group that is not known would be lost with all of its rows.
 */
export function readHeadings(header: readonly string[], place: FilePlace) {
  const reader = new HeadingReader(header, place);
  const begin = reader.firstOutput();
  const groups: Group[] = [];
  const seen = new PromptfooColumns();
  let at = begin;
  while (!header.slice(at).every((name) => RED_TEAM.has(name))) {
    const group = reader.group(at);
    seen.add(group.provider, group.output);
    groups.push({ ...group, position: seen.positionOf(group.provider, group.output) ?? 0 });
    at = group.reason + (header[group.reason + 1] === COMMENT ? 2 : 1);
  }
  const columns = header.map((name, column) => ({ at: column, name }));
  const names = columns.slice(0, begin);
  // promptfoo puts it in front where a case has one; a var of the name would follow it.
  const hasDescription = names[0]?.name === "Description";
  const vars = hasDescription ? names.slice(1) : names;
  const twice = vars.find(({ name }, index) => vars.findIndex((other) => other.name === name) < index);
  if (twice) throw new DataFileError(place, `the column ${quotedName(twice.name)} appears twice`);
  // What is behind them is of a red team: metadata of the first output of each record.
  return { header, hasDescription, vars, groups, metadata: columns.slice(at) };
}

class HeadingReader {
  readonly #header: readonly string[];
  readonly #place: FilePlace;

  constructor(header: readonly string[], place: FilePlace) {
    this.#header = header;
    this.#place = place;
  }

  /** Where the first group begins. It is found from its end: any heading may be a var, or the name of an output. */
  firstOutput(): number {
    let at = this.#header.indexOf(REASON) - 1;
    if (at < 0) throw this.#refuse(`there is no heading ${quotedName(REASON)}`);
    while (this.#header[at]?.startsWith(METRIC) === true) at--;
    for (const name of [NAMED, SCORE, STATUS]) {
      if (this.#header[at] !== name) throw this.#unknown(at);
      at--;
    }
    if (this.#header[at] === REASONING) at--;
    if (at < 0) throw this.#refuse(`there is no output before ${quotedName(STATUS)}`);
    // What stands between an output and its status would be taken for the output.
    if (this.#isOutput(at - 1) && !this.#isOutput(at)) throw this.#unknown(at);
    return at;
  }

  group(output: number): Omit<Group, "position"> {
    const status = this.#header[output + 1] === REASONING ? output + 2 : output + 1;
    // A heading that does not look like part of a group is foreign itself.
    const isForeign = !this.#isOutput(output) && !FIXED.has(this.#header[output] ?? "");
    if (this.#header[status] !== STATUS) throw this.#unknown(isForeign ? output : status);
    const [score, named] = [this.#expect(status + 1, SCORE), this.#expect(status + 2, NAMED)];
    const metrics: Column[] = [];
    let reason = named + 1;
    for (let name = this.#header[reason]; name?.startsWith(METRIC) === true; name = this.#header[++reason]) {
      metrics.push({ at: reason, name: name.slice(METRIC.length) });
    }
    this.#expect(reason, REASON);
    const label = this.#header[output] ?? "";
    // `[provider] label`, or the label alone.
    const [, provider = "", prompt = label] = LABEL.exec(label) ?? [];
    return { prompt, provider, output, status, score, named, metrics, reason };
  }

  #expect(at: number, name: string): number {
    if (this.#header[at] !== name) throw this.#unknown(at);
    return at;
  }

  #isOutput(at: number): boolean {
    return LABEL.test(this.#header[at] ?? "");
  }

  #unknown(at: number): DataFileError {
    const name = this.#header[at];
    if (name === undefined) return this.#refuse("the headings of the last prompt are incomplete");
    return this.#refuse(`the heading ${quotedName(name)} is not expected at its place in a promptfoo table`);
  }

  #refuse(fault: string): DataFileError {
    return new DataFileError(this.#place, fault, { advice: AS_JSON });
  }
}

const LABEL = /^\[(.*?)\] (.*)$/s;
