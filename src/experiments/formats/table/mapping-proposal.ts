import { isScoreListName } from "./column-names.ts";
import { words, WORDS_ABOUT } from "./score-names.ts";
import type { NotedColumn, ColumnKind, ColumnRole, PartRole } from "../../rows/columns.ts";

/** A column of a file, as far as it was seen. */
export interface SeenColumn extends Pick<NotedColumn, "inner" | "texts"> {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Its role by its name and values; undefined if they do not determine one. */
  readonly role: ColumnRole | undefined;
}

interface UnusedColumn extends Pick<SeenColumn, "name" | "texts"> {
  readonly role: ColumnRole | undefined;
}

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
  const mappable = columns.filter(({ name }) => isMappable(name));
  const roles = new Map<SeenColumn, ColumnRole>();
  for (const column of mappable) {
    const role = provenRole(column);
    if (role) roles.set(column, role);
  }
  for (const [part, telling] of GUESSES) {
    if ([...roles.values()].some((role) => role.part === part)) continue;
    const guess = guessOf(part, telling, { columns: mappable, roles });
    if (guess) roles.set(guess, { part, key: undefined });
  }
  if (!mappable.some(({ kind }) => kind !== "nothing")) return undefined;
  return openMapping(
    [...roles].map(([{ name }, role]) => ({ name, role })),
    columns.filter((column) => !roles.has(column)),
    rows,
  );
}

/** The mapping of these columns, in which the parts are open that every row needs; `unused` become comments. */
export function openMapping(
  columns: readonly NotedColumn[],
  unused: readonly UnusedColumn[],
  rows: string | undefined,
): MappingLines {
  const has = (part: ColumnRole["part"]) => columns.some(({ role }) => role.part === part);
  const numbers = has("score") ? [] : unused.filter(mayBeScore).slice(0, MOST_UNUSED);
  const others = unused.filter((column) => !numbers.includes(column));
  const open = [
    ...(rows === undefined ? [] : [`rows: ${yamlText(rows)}`]),
    ...(has("inputs") ? [] : ["inputs: # which column holds the question?"]),
    // Results without outputs are results, too; but not where a column of other texts may be the answers.
    ...(has("outputs") || !unused.some(({ texts }) => texts === "distinct" || texts === "either")
      ? []
      : ["outputs: # which column holds the answer?"]),
    ...(has("score")
      ? []
      : numbers.length === 0
        ? ["scores: # which columns hold the scores?"]
        : ["scores: # which columns hold the scores? remove the # of those that do"]),
    ...numbers.map(({ name }) => `#  ${keyText(name)}: ${yamlText(name)}`),
  ];
  return [...open, ...mappingLines(columns, others)];
}

/** True for numbers and verdicts of which nothing shows that they are scores. */
function mayBeScore({ name, role }: UnusedColumn): boolean {
  return role?.part === "score" && role.grade === "number" && isMappable(name);
}

/** The scores in the objects or lists of a column, each as a column; undefined where there are none. */
export function innerScores({
  name,
  inner = [],
}: Pick<NotedColumn, "inner" | "name">): readonly (NotedColumn & SeenColumn)[] | undefined {
  // A text beside a score may be the reason of it.
  const scores = inner.filter(({ key, isText }) => !isText || !wordsOf(key).some((word) => WORDS_ABOUT.has(word)));
  const found = scores.map(({ key, isText }) => {
    const role: ColumnRole = { part: "score", key, kind: isText ? "categorical" : undefined };
    return { name: `${name}.${key}`, kind: isText ? ("text" as const) : ("number" as const), role };
  });
  const mappable = found.filter((column) => isMappable(column.name));
  return mappable.length === 0 ? undefined : mappable;
}

/** The mapping that gives these columns these roles; the names in `unused` become comments. */
export function mappingLines(columns: readonly NotedColumn[], unused: readonly UnusedColumn[]): MappingLines {
  const lines: string[] = [];
  for (const part of SINGLE_PARTS) {
    const column = columns.find(({ role }) => role.part === part);
    if (column) lines.push(`${KEYS.get(part) ?? part}: ${yamlText(column.name)}`);
  }
  for (const part of WHOLE_PARTS) lines.push(...partLines(part, columns));
  const scores = columns.flatMap(({ name, role }) => {
    if (role.part !== "score") return [];
    const { key, kind } = role;
    const text = kind === undefined ? yamlText(name) : `{ from: ${yamlText(name)}, kind: ${kind} }`;
    return [{ key, name, text }];
  });
  if (scores.length > 0) lines.push("scores:", ...entryLines(scores));
  const latencies = columns.flatMap(({ name, role }) => {
    const key = role.part === "latency" ? LATENCY_KEYS.get(role.unitMilliseconds) : undefined;
    return key === undefined ? [] : [`${key}: ${yamlText(name)}`];
  });
  // A mapping takes one latency.
  lines.push(...latencies.slice(0, 1));
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

type Part = PartRole["part"];

const SINGLE_PARTS = ["id", "repetition", "error", "start", "end"] as const;
const WHOLE_PARTS: readonly Part[] = ["inputs", "expected", "outputs", "metadata"];
const KEYS: ReadonlyMap<string, string> = new Map([
  ["start", "start_time"],
  ["end", "end_time"],
]);
const LATENCY_KEYS: ReadonlyMap<number, string> = new Map([
  [1_000, "latency"],
  [1, "latency_ms"],
]);
// As many as a user reads.
const MOST_UNUSED = 100;

/** Words in the names of columns, the most telling first. */
const GUESSES: readonly (readonly [part: "expected" | "inputs" | "outputs", words: readonly string[]])[] = [
  ["expected", words("gold golden truth expected ideal target reference label should")],
  [
    "outputs",
    [
      ...words("output response answer completion prediction predicted pred generated generation"),
      ...words("reply said bot assistant"),
    ],
  ],
  [
    "inputs",
    [
      ...words("input question query prompt request instruction problem task"),
      ...words("utterance asked wrote customer"),
    ],
  ],
];

/** The parts of a row that a proposed mapping names. */
const MAPPED_PARTS: ReadonlySet<ColumnRole["part"]> = new Set([
  ...(["id", "repetition", "inputs", "expected", "outputs", "score", "error", "start", "end", "latency"] as const),
]);

/** A role that a mapping can give, and that the values of the column show as well. */
export function provenRole({ role, kind, texts }: Omit<SeenColumn, "name">): ColumnRole | undefined {
  if (!role || !MAPPED_PARTS.has(role.part)) return undefined;
  if (role.part !== "score") return role;
  // Numbers of which nothing shows that they are scores would count as such once a mapping names them.
  if (role.grade === "number" || role.grade === "key") return undefined;
  if (kind !== "text" && kind !== "mixed") return role;
  // Texts are sent as the value of the score. Of numbers in several notations, the rows that differ are refused.
  return texts === "distinct" ? undefined : { ...role, kind: "categorical" };
}

/** The column whose name has the most telling word, and whose values can be that part. */
function guessOf(
  part: "expected" | "inputs" | "outputs",
  telling: readonly string[],
  { columns, roles }: { columns: readonly SeenColumn[]; roles: ReadonlyMap<SeenColumn, ColumnRole> },
): SeenColumn | undefined {
  const free = columns.filter((column) => {
    const { kind, texts } = column;
    if (roles.has(column) || column.role?.part === "skipped" || kind === "number" || kind === "nothing") return false;
    // Questions and answers differ from row to row; what is expected may be a label.
    return texts !== "constant" && texts !== "records" && (part === "expected" || texts !== "repeated");
  });
  for (const word of telling) {
    const named = free.find(({ name }) => {
      const named = wordsOf(name);
      return named.includes(word) && !named.some((each) => each !== word && WORDS_ABOUT.has(each));
    });
    if (named) return named;
  }
  return undefined;
}

/** The words of a column's name. */
export function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, LONGEST_NAME)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
}

function partLines(part: Part, columns: readonly NotedColumn[]): readonly string[] {
  const found = columns.flatMap(({ name, role }) =>
    role.part === part ? [{ name, key: "key" in role ? role.key : undefined }] : [],
  );
  const [first] = found;
  if (!first) return [];
  if (found.length === 1 && first.key === undefined) return [`${part}: ${yamlText(first.name)}`];
  return [`${part}:`, ...entryLines(found.map(({ name, key = name }) => ({ key, name, text: yamlText(name) })))];
}

interface Entry {
  readonly key: string;
  readonly name: string;
  readonly text: string;
}

/** A key that stands twice gives way to the whole name of its column. */
function entryLines(entries: readonly Entry[]): readonly string[] {
  const taken = new Set<string>();
  return entries.flatMap(({ key, name, text }) => {
    const free = [key, name].find((each) => each !== "" && !taken.has(each));
    if (free === undefined) return [];
    taken.add(free);
    return [`  ${keyText(free)}: ${text}`];
  });
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
