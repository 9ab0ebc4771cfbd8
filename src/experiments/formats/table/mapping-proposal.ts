import { isAbout, isScoreListName, words, WORDS_ABOUT, wordsIn } from "./column-names.ts";
import { isOnlyNumber } from "./number-columns.ts";
import type { ColumnRole, NotedColumn, SeenColumn } from "../../rows/columns.ts";

/** The YAML of a mapping, line by line, for a user to paste and to correct. */
export type MappingLines = readonly string[];

/**
 * The mapping that the columns of a file give evidence of: the roles by names and values, inputs and outputs by words in
 * names where the values agree, and every other column as a comment. A part without evidence is open: the mapping is
 * refused until someone names its column. `rows` is the place of the rows in a document, where a mapping has named it. Undefined where no column has a value.
 */
export function proposeMapping(seen: readonly SeenColumn[], rows?: string): MappingLines | undefined {
  const columns = seen.flatMap((column): readonly SeenColumn[] => {
    const { name, role } = column;
    const isScoreList = role?.part === "scores" || (role?.part === "metadata" && isScoreListName(name));
    return (isScoreList ? innerScores(column) : undefined) ?? [column];
  });
  if (!columns.some(({ name, kind }) => isMappable(name) && kind !== "nothing")) return undefined;
  const roles = new Map(columns.map((column) => [column, provenRole(column)]));
  for (const [part, telling] of GUESSES) {
    if ([...roles.values()].some((role) => role?.part === part)) continue;
    const free = columns.filter((column) => !roles.get(column) && mayBe(part, column));
    const guess = mostTelling(free, telling);
    if (guess) roles.set(guess, { part, key: undefined });
  }
  return openMapping(columns, (column) => roles.get(column), rows);
}

/**
 * The mapping that gives columns their roles by `roleOf`, in which the parts are open that every row needs; the columns
 * without a role become comments.
 */
export function openMapping<Column extends SeenColumn>(
  seen: readonly Column[],
  roleOf: (column: Column) => ColumnRole | undefined,
  rows: string | undefined,
): MappingLines {
  const columns = seen.flatMap((column): NotedColumn | [] => {
    const role = roleOf(column);
    return role ? { name: column.name, role } : [];
  });
  const names = new Set(columns.map(({ name }) => name));
  const unused = seen.filter(({ name }) => !names.has(name));
  const has = (part: ColumnRole["part"]) => columns.some(({ role }) => role.part === part);
  const numbers = has("score") ? [] : unused.filter(mayBeScore).slice(0, MOST_UNUSED);
  const others = unused.filter((column) => !numbers.includes(column));
  const open: string[] = rows === undefined ? [] : [`rows: ${yamlText(rows)}`];
  if (!has("inputs")) open.push("inputs: # which column holds the question?");
  // Results without outputs are results, too; but not where a column of other texts may be the answers.
  if (!has("outputs") && unused.some(({ texts }) => texts === "distinct" || texts === "either"))
    open.push("outputs: # which column holds the answer?");
  if (!has("score")) {
    const choice = numbers.length === 0 ? "" : " remove the # of those that do";
    open.push(`scores: # which columns hold the scores?${choice}`);
  }
  open.push(...numbers.map(({ name }) => `#  ${keyText(name)}: ${yamlText(name)}`));
  return [...open, ...mappingLines(columns, others)];
}

/** True for numbers and verdicts of which nothing shows that they are scores. */
function mayBeScore({ name, role }: SeenColumn): boolean {
  return role?.part === "score" && role.grade === "number" && isMappable(name);
}

/** The scores in the objects or lists of a column, each as a column; undefined where there are none. */
export function innerScores({ name, inner = [] }: SeenColumn): readonly NotedColumn[] | undefined {
  // A text beside a score may be the reason of it.
  const scores = inner.filter(({ key, isText }) => !isText || !isAbout(key));
  const found = scores.map(({ key, isText }) => {
    const role: ColumnRole = { part: "score", key, kind: isText ? "categorical" : undefined };
    return { name: `${name}.${key}`, kind: isText ? ("text" as const) : ("number" as const), role };
  });
  const mappable = found.filter((column) => isMappable(column.name));
  return mappable.length === 0 ? undefined : mappable;
}

/** The mapping that gives these columns these roles; the names in `unused` become comments. */
export function mappingLines(columns: readonly NotedColumn[], unused: readonly SeenColumn[]): MappingLines {
  const columnsOf = Map.groupBy(columns, ({ role: { part } }) => KEY_OF_PART.get(part) ?? part);
  const lines = KEYS.flatMap((key) => partLines(key, columnsOf.get(key) ?? []));
  const shown = unused.slice(0, MOST_UNUSED);
  if (shown.length === 0) return lines;
  const more = unused.length - shown.length;
  return [
    ...lines,
    "# not used; remove the # of what you need",
    "# metadata:",
    ...shown.map(({ name, texts }) => {
      if (texts === "records") return `# a list of records: ${commentText(name)}`;
      return isMappable(name) ? `#   ${keyText(name)}: ${yamlText(name)}` : `#   ${commentText(name)}`;
    }),
    ...(more > 0 ? [`# and ${String(more)} more`] : []),
  ];
}

/** The keys of a mapping in their order. */
const KEYS = words("id repetition error start_time end_time inputs expected outputs metadata scores latency");
const KEY_OF_PART: ReadonlyMap<string, string> = new Map([
  ["start", "start_time"],
  ["end", "end_time"],
  ["score", "scores"],
  // No key takes a list of scores whole.
  ["scores", ""],
]);

function partLines(key: string, columns: readonly NotedColumn[]): readonly string[] {
  const [first] = columns;
  if (!first) return [];
  const { name, role } = first;
  const isOne = !("key" in role) || (role.key === undefined && columns.length === 1);
  // A mapping takes one latency.
  const unit = role.part === "latency" && role.unitMilliseconds === 1 ? "_ms" : "";
  return isOne ? [`${key}${unit}: ${yamlText(name)}`] : [`${key}:`, ...entryLines(columns)];
}

/** A key that stands twice gives way to the whole name of its column. */
function entryLines(columns: readonly NotedColumn[]): readonly string[] {
  const taken = new Set<string>();
  return columns.flatMap(({ name, role }) => {
    const key = ("key" in role ? role.key : undefined) ?? name;
    const free = [key, name].find((each) => each !== "" && !taken.has(each));
    if (free === undefined) return [];
    taken.add(free);
    const kind = role.part === "score" ? role.kind : undefined;
    return `  ${keyText(free)}: ${kind === undefined ? yamlText(name) : `{ from: ${yamlText(name)}, kind: ${kind} }`}`;
  });
}

// As many as a user reads.
const MOST_UNUSED = 100;

/** Words in the names of columns, the most telling first. */
const GUESSES: readonly (readonly [part: "expected" | "inputs" | "outputs", words: readonly string[]])[] = [
  ["expected", words("gold golden truth expected ideal target reference label should")],
  [
    "outputs",
    words("output response answer completion prediction predicted pred generated generation reply said bot assistant"),
  ],
  ["inputs", words("input question query prompt request instruction problem task utterance asked wrote customer")],
];

/** The parts of a row that a proposed mapping names. */
const MAPPED_PARTS: ReadonlySet<string> = new Set(
  words("id repetition inputs expected outputs score error start end latency"),
);

/** A role that a mapping can give, and that the values of the column show as well. */
export function provenRole({ name, role, kind, texts }: SeenColumn): ColumnRole | undefined {
  if (!role || !MAPPED_PARTS.has(role.part) || !isMappable(name)) return undefined;
  if (role.part !== "score") return role;
  // Numbers of which nothing shows that they are scores would count as such once a mapping names them.
  if (isOnlyNumber(role)) return undefined;
  if (kind !== "text" && kind !== "mixed") return role;
  // Texts are sent as the value of the score. Of numbers in several notations, the rows that differ are refused.
  return texts === "distinct" ? undefined : { ...role, kind: "categorical" };
}

/** True where the values of a column can be a part, whatever its name is. */
function mayBe(part: "expected" | "inputs" | "outputs", { name, role, kind, texts }: SeenColumn): boolean {
  if (!isMappable(name) || role?.part === "skipped" || kind === "number" || kind === "nothing") return false;
  // Questions and answers differ from row to row; what is expected may be a label.
  return texts !== "constant" && texts !== "records" && (part === "expected" || texts !== "repeated");
}

/** The column whose name has the most telling word. */
function mostTelling(columns: readonly SeenColumn[], telling: readonly string[]): SeenColumn | undefined {
  for (const word of telling) {
    const named = columns.find(({ name }) => {
      const named = wordsIn(name);
      return named.includes(word) && !named.some((each) => each !== word && WORDS_ABOUT.has(each));
    });
    if (named) return named;
  }
  return undefined;
}

/** False for a name that a mapping cannot hold: it trims its paths. */
function isMappable(name: string): boolean {
  return name !== "" && name.trim() === name && name.length <= LONGEST_NAME && name.isWellFormed();
}

/** How long a name in a mapping may be. */
const LONGEST_NAME = 200;

const PLAIN = /^[\p{L}_][\p{L}\p{N}_.()/?-]*(?: [\p{L}\p{N}_.()/?-]+)*$/u;
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** A text in YAML; what could be invisible, or an expression of a workflow, is escaped. */
function yamlText(text: string): string {
  if (PLAIN.test(text) && !RESERVED.test(text)) return text;
  return JSON.stringify(text).replace(
    /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|\p{Default_Ignorable_Code_Point}|\$(?=\{)/gu,
    escaped,
  );
}

/** A key in YAML, cut to a length. */
function keyText(key: string): string {
  return yamlText(key.slice(0, LONGEST_NAME).toWellFormed());
}

/** A name in a comment, which no parser reads. */
function commentText(name: string): string {
  return name === "" ? "the column without a name" : keyText(name);
}

function escaped(characters: string): string {
  return Array.from({ length: characters.length }, (_, index) => {
    return `\\u${characters.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }).join("");
}
