import { isAbout, plainName, words, wordsIn } from "../formats/table/column-names.ts";
import { type ChosenPart, PART_RULES } from "../formats/table/part-rules.ts";
import type { ColumnReading, ColumnRole, NotedColumn } from "../rows/columns.ts";
import { innerScores, openMapping, provenRole } from "../formats/table/mapping-proposal.ts";
import { isSlip } from "../../text/closest.ts";
import { listed, nameList, quotedName } from "../../text/quoted.ts";

/** A sentence about the columns that look like more than the metadata that they were read as; undefined without any. */
export function overlookedColumns(file: string, { by, columns }: ColumnReading): string | undefined {
  if (by === "mapping") return undefined;
  const hasErrors = columns.some(({ role }) => role.part === "error");
  const found = columns.flatMap((column) => {
    const part = lookOf(column);
    return part === undefined || (part === "error" && hasErrors) ? [] : [{ name: column.name, part }];
  });
  if (found.length === 0) return undefined;
  const groups = [...Map.groupBy(found, ({ part }) => part)].map(([part, group]) => {
    const names = group.map(({ name }) => quotedName(name));
    const shown = nameList(names, MOST_NAMES);
    return `${shown} (looks like ${LOOKS.find((look) => look.part === part)?.called ?? part})`;
  });
  return `${file}: read as metadata: ${groups.join("; ")}. A mapping can give these columns another role.`;
}

/** A sentence about the keys of a tool's own form that look like scores and were not read; undefined without any. */
export function unreadScores(file: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const list = listed(names.map(quotedName), { conjunction: "and", most: MOST_NAMES });
  const [looks, them] =
    names.length === 1 ? ["looks like scores and was", "it"] : ["look like scores and were", "them"];
  const advice = "write the rows as CSV or JSON Lines, with the columns `input` and `output` and one for each score";
  return `${file}: ${list} ${looks} not read. To upload ${them}, ${advice}.`;
}

/**
 * The mapping that reads the columns as scores that look so, with words as values; open where none does. Undefined where
 * the mapping is the user's, or no column looks so.
 */
export function scoresMapping({ by, columns }: ColumnReading, rows: string | undefined): readonly string[] | undefined {
  if (by === "mapping") return undefined;
  const seen = columns.flatMap(scoresOf);
  const isScore = (name: string) => columns.some((each) => each.name === name && each.role.part === "score");
  const isOffered = seen.some((column) => provenRole(column)?.part === "score" && !isScore(column.name));
  const isNumber = columns.some(({ role }) => role.part === "score" && role.grade !== undefined);
  return isOffered || isNumber ? openMapping(seen, provenRole, rows) : undefined;
}

/**
 * The first column of texts that looks like the outputs, of which there are none, and the mapping that reads it so;
 * undefined without one, or where the user's mapping leaves the outputs out. `rows` is the path of the rows in a document.
 */
export function overlookedOutput({ by, columns }: ColumnReading, rows: string | undefined) {
  if (by === "mapping") return undefined;
  const found = columns.find((column) => {
    const { name, kind, texts } = column;
    if (kind !== "text" || texts === "constant" || lookOf(column) !== "outputs") return false;
    // `response_language` is a category of an output, as long as few values stand there.
    // True where the name is that of an output as a whole, such as `bot_full_answer`, `answer_text` and
    // `predicted_class`.
    const named = [...wordsIn(name)];
    while (named.length > 1 && WORDS_OF_WHOLE.has(named.at(-1) ?? "")) named.pop();
    return texts === "distinct" || OUTPUT_WORDS.includes(named.at(-1) ?? "") || MADE.has(named[0] ?? "");
  });
  if (!found) return undefined;
  const roleOf = (column: NotedColumn): ColumnRole | undefined => {
    return column === found ? { part: "outputs", key: undefined } : provenRole(column);
  };
  return { name: found.name, mapping: openMapping(columns, roleOf, rows) };
}

/** Behind the word for an output they add nothing. */
const WORDS_OF_WHOLE: ReadonlySet<string> = new Set(words("text texts content body raw full"));
/** Whatever follows was made. */
const MADE: ReadonlySet<string> = new Set(words("predicted generated"));

/** The column with the roles that a mapping can give it: as a score, or as the scores in its objects. */
function scoresOf(column: NotedColumn): readonly NotedColumn[] {
  const { name, role, kind } = column;
  if (role.part === "scores") return innerScores(column) ?? [column];
  if (lookOf(column) !== "score") return [column];
  if (kind === "object" || kind === "list") return innerScores(column) ?? [column];
  return [{ ...column, role: { part: "score", key: name } }];
}

/** True where a column holds scores as texts, which only a mapping takes. */
export function holdTexts({ by, columns }: ColumnReading): boolean {
  return (
    by === "names" && columns.some(({ role, inner }) => role.part === "scores" && inner?.some(({ isText }) => isText))
  );
}

function lookOf({ name, role }: NotedColumn): Part | undefined {
  // What the file itself calls metadata is meant so.
  if (role.part !== "metadata" || role.key === undefined || /^\s*metadata\b/i.test(name)) return undefined;
  if (isAbout(name)) return undefined;
  const named = wordsIn(name);
  return LOOKS.find((look) => named.some((word) => look.words.includes(word)))?.part;
}

/** A sentence about columns that are one slip away from the name of a part that the file lacks; undefined without any. */
export function misspeltColumns(file: string, { by, columns }: ColumnReading): string | undefined {
  if (by === "mapping") return undefined;
  const found = new Set<string>(columns.map(({ role }) => role.part));
  const missing = PART_RULES.filter(({ part }) => LACKED.has(part) && !found.has(part));
  const known = missing.flatMap(({ names }) => names);
  const hints = columns.flatMap(({ name, role: { part } }) => {
    const meant = part === "metadata" || part === "score" ? known.find((each) => isMisspelt(name, each)) : undefined;
    const read = part === "score" ? "a score" : "metadata";
    return meant === undefined ? [] : [`${quotedName(name)} was read as ${read}: did you mean \`${meant}\`?`];
  });
  return hints.length === 0 ? undefined : `${file}: ${hints.slice(0, MOST_HINTS).join(" ")}`;
}

/** True for a slip of a name that is long enough; the first letter is seldom wrong. */
function isMisspelt(name: string, known: string): boolean {
  const [written, meant] = [plainName(name), plainName(known)];
  if (meant.length < SHORTEST || written.length > LONGEST || !written.startsWith(meant.charAt(0))) return false;
  // A plural is another word: `answers` beside `answer`.
  if (written === `${meant}s` || meant === `${written}s`) return false;
  return isSlip(written, meant);
}

type Part = "error" | "expected" | "outputs" | "score";

const SCORE_WORDS = [
  ...words("score scores scored rating grade graded metric metrics eval evaluation evaluations"),
  ...words("verdict judge judgement judgment correct correctness accuracy accurate pass passed"),
  ...words("faithfulness relevance relevancy similarity quality precision recall bleu rouge f1"),
  ...words("feedback annotation annotations hallucination toxicity helpfulness success"),
];
const OUTPUT_WORDS = [
  ...words("output outputs response responses answer answers completion prediction predicted"),
  ...words("generated generation reply"),
];

/** Words in names by which a person takes a column for a part of a row, and how the part is called. */
const LOOKS: readonly { readonly part: Part; readonly called: string; readonly words: readonly string[] }[] = [
  { part: "score", called: "a score", words: SCORE_WORDS },
  { part: "error", called: "an error", words: words("error errors exception exceptions") },
  { part: "expected", called: "an expected value", words: words("expected gold golden truth ideal target reference") },
  { part: "outputs", called: "an output", words: OUTPUT_WORDS },
];
const MOST_NAMES = 10;

/** Parts that a file may lack, so that nothing else shows that a name is misspelt. */
const LACKED: ReadonlySet<ChosenPart> = new Set(["expected", "id", "latency", "outputs"]);
// A short name is near to too many others: `stars` is not a misspelt `start`.
const SHORTEST = 6;
// A comparison costs the product of both lengths.
const LONGEST = 40;
const MOST_HINTS = 5;
