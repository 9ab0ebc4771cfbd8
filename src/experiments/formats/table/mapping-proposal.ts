import { NAMES_OF_SCORE_LISTS, plainName } from "./column-names.ts";
import type { NotedColumn, ColumnKind, ColumnRole, PartRole } from "../../rows/columns.ts";

/** A column of a file, as far as it was seen. */
export interface SeenColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Its role by its name and values; undefined if they do not determine one. */
  readonly role: ColumnRole | undefined;
  /** What could be scores in its objects or lists. */
  readonly inner?: NotedColumn["inner"];
}

/** The YAML of a mapping, line by line, for a user to paste and to correct. */
export type MappingLines = readonly string[];

/**
 * The mapping that is most likely meant, made from the columns of a file: the roles by names and values, a guess at
 * the inputs and the outputs where no column has such a name, and every other column as a comment. Undefined where no
 * column can be the inputs.
 */
export function proposeMapping(seen: readonly SeenColumn[]): MappingLines | undefined {
  const columns = seen.flatMap((column): readonly SeenColumn[] => {
    return (isScoreList(column) ? innerScores(column) : undefined) ?? [column];
  });
  const mappable = columns.filter(({ name }) => isMappable(name));
  const roles = new Map<SeenColumn, ColumnRole>();
  for (const column of mappable) {
    const role = provenRole(column);
    if (role !== undefined) roles.set(column, role);
  }
  for (const [part, telling, isNeeded] of GUESSES) {
    if ([...roles.values()].some((role) => role.part === part)) continue;
    const guess = guessOf(mappable, roles, { words: telling, isNeeded });
    if (guess !== undefined) roles.set(guess, { part, key: undefined });
  }
  if (![...roles.values()].some(({ part }) => part === "inputs")) return undefined;
  return mappingLines(
    [...roles].map(([{ name }, role]) => ({ name, role })),
    columns.filter((column) => !roles.has(column)).map(({ name }) => name),
  );
}

/** The scores in the objects or lists of a column, each as a column; undefined where there are none. */
export function innerScores({
  name,
  inner = [],
}: Pick<NotedColumn, "inner" | "name">): readonly (NotedColumn & SeenColumn)[] | undefined {
  const found = inner.map(({ key, isText }) => {
    const role: ColumnRole = { part: "score", key, kind: isText ? "categorical" : undefined };
    return { name: `${name}.${key}`, kind: isText ? ("text" as const) : ("number" as const), role };
  });
  const mappable = found.filter((column) => isMappable(column.name));
  return mappable.length === 0 ? undefined : mappable;
}

function isScoreList({ name, role }: SeenColumn): boolean {
  return role?.part === "scores" || (role?.part === "metadata" && SCORE_LISTS.has(plainName(name)));
}

const SCORE_LISTS: ReadonlySet<string> = new Set(NAMES_OF_SCORE_LISTS.map(plainName));

/** The mapping that gives these columns these roles; the names in `unused` become comments. */
export function mappingLines(columns: readonly NotedColumn[], unused: readonly string[]): MappingLines {
  const lines: string[] = [];
  for (const part of SINGLE_PARTS) {
    const column = columns.find(({ role }) => role.part === part);
    if (column !== undefined) lines.push(`${KEYS.get(part) ?? part}: ${yamlText(column.name)}`);
  }
  for (const part of WHOLE_PARTS) lines.push(...partLines(part, columns));
  lines.push(...scoreLines(columns), ...latencyLines(columns));
  const shown = unused.slice(0, MOST_UNUSED);
  if (shown.length === 0) return lines;
  const more = unused.length - shown.length;
  return [
    ...lines,
    "# not used; remove the # of what you need",
    "# metadata:",
    ...shown.map((name) => (isMappable(name) ? `#   ${keyText(name)}: ${yamlText(name)}` : `#   ${commentText(name)}`)),
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
// As many as a user reads.
const MOST_UNUSED = 100;
const LONGEST_NAME = 200;

/** Words in the names of columns, the most telling first, and whether there must be such a column. */
const GUESSES: readonly (readonly [part: Part, words: readonly string[], isNeeded: boolean])[] = [
  ["expected", words("gold golden truth expected ideal target reference label should"), false],
  [
    "outputs",
    [
      ...words("output response answer completion prediction predicted pred generated generation"),
      ...words("reply result said bot assistant"),
    ],
    false,
  ],
  [
    "inputs",
    [
      ...words("input question query prompt request instruction problem task message utterance"),
      ...words("asked wrote text sentence customer user ticket article document content source"),
    ],
    true,
  ],
];

/** A list of words, which stand here with blanks between. */
export function words(text: string): readonly string[] {
  return text.split(" ");
}

/** The parts of a row that a proposed mapping names. */
export const MAPPED_PARTS: ReadonlySet<ColumnRole["part"]> = new Set([
  ...(["id", "repetition", "inputs", "expected", "outputs", "score", "error", "start", "end", "latency"] as const),
]);

/** A role that a mapping can give, and that the values of the column do not contradict. */
function provenRole({ role, kind }: SeenColumn): ColumnRole | undefined {
  if (role === undefined || !MAPPED_PARTS.has(role.part)) return undefined;
  // Texts are sent as the value of the score. Of numbers in several notations, the rows that differ are refused.
  return role.part === "score" && (kind === "text" || kind === "mixed") ? { ...role, kind: "categorical" } : role;
}

interface GuessOptions {
  readonly words: readonly string[];
  readonly isNeeded: boolean;
}

/** The column whose name has the most telling word; if one is needed, the first with texts, else with any value. */
function guessOf(
  columns: readonly SeenColumn[],
  roles: ReadonlyMap<SeenColumn, ColumnRole>,
  { words: telling, isNeeded }: GuessOptions,
): SeenColumn | undefined {
  const free = columns.filter((column) => !roles.has(column) && column.role?.part !== "skipped");
  const texts = free.filter(({ kind }) => kind !== "number" && kind !== "nothing");
  for (const word of telling) {
    const named = texts.find(({ name }) => wordsOf(name).includes(word));
    if (named !== undefined) return named;
  }
  if (!isNeeded) return undefined;
  const numbers = columns.filter((column) => roles.get(column)?.part === "score");
  return texts[0] ?? [...free, ...numbers].find(({ kind }) => kind !== "nothing");
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
  if (first === undefined) return [];
  if (found.length === 1 && first.key === undefined) return [`${part}: ${yamlText(first.name)}`];
  return [`${part}:`, ...entryLines(found.map(({ name, key = name }) => ({ key, name, text: yamlText(name) })))];
}

function scoreLines(columns: readonly NotedColumn[]): readonly string[] {
  const found = columns.flatMap(({ name, role }) => {
    if (role.part !== "score") return [];
    const { key, kind } = role;
    const text = kind === undefined ? yamlText(name) : `{ from: ${yamlText(name)}, kind: ${kind} }`;
    return [{ key, name, text }];
  });
  return found.length === 0 ? [] : ["scores:", ...entryLines(found)];
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

/** A mapping takes one latency. */
function latencyLines(columns: readonly NotedColumn[]): readonly string[] {
  for (const { name, role } of columns) {
    if (role.part !== "latency") continue;
    if (role.unitMilliseconds === 1_000) return [`latency: ${yamlText(name)}`];
    if (role.unitMilliseconds === 1) return [`latency_ms: ${yamlText(name)}`];
  }
  return [];
}

/** False for a name that a mapping cannot hold: it trims its paths. */
function isMappable(name: string): boolean {
  return name !== "" && name.trim() === name && name.length <= LONGEST_NAME && name.isWellFormed();
}

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
