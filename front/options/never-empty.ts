import { kebabCase, namesOf, type OptionTable, type Spelling } from "../../src/contract/options.ts";

/** The inputs of a step as its action.yml declares them. */
export interface DeclaredInputs<Name extends string> {
  readonly defaults: Readonly<Record<Name, string>>;
  /**
   * The inputs that may not be empty, each with what its default is: a `word` such as `none` stands for no value, and a
   * `value` is one as any other.
   *
   * An output that does not exist is an empty text, and so is an input that a caller of a workflow did not set. Where a
   * step without the input does something else (deploys to production instead of a preview, deploys instead of rolling
   * back, writes instead of showing, judges without a rule), an empty text must not be taken for an input that is not
   * there: the runner gives that one its default.
   */
  readonly neverEmpty: Readonly<Record<string, "value" | "word">>;
  /** Old names of inputs, each with the one that it has now: both are declared, and the old one goes on working. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** How the names and the sentences of options are spelt as inputs. */
  readonly spelling?: Spelling;
  /** The options by their neutral names. */
  readonly table?: OptionTable;
  /** What to do about an input that cannot be read, as the end of the sentence. */
  readonly remedies?: Readonly<Record<string, string>>;
}

/** The names of these options as inputs: in kebab case, but for the exceptions. */
export type InputNames<Table, Exceptions> = {
  [Name in keyof Table & string]: Name extends keyof Exceptions ? Exceptions[Name] & string : Kebab<Name>;
}[keyof Table & string];

type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : "";

/** The inputs of a step that has these options; `exceptions` are the names that are not the neutral ones in kebab case. */
export function inputsOf<const Table extends OptionTable, const Exceptions extends Readonly<Record<string, string>>>(
  table: Table,
  exceptions: Exceptions,
): DeclaredInputs<InputNames<Table, Exceptions>> {
  const spelling = kebabCase(exceptions);
  const options = new Map(namesOf<string>(table).map((name) => [spelling(name), table[name]]));
  const defaults = Object.fromEntries([...options].map(([name, of]) => [name, of?.default ?? of?.word ?? ""]));
  if (!isComplete<InputNames<Table, Exceptions>>(defaults, Object.keys(table).length)) {
    throw new Error("Two options share an input.");
  }
  const neverEmpty: Record<string, "value" | "word"> = {};
  for (const [name, of] of options) {
    const { word, mayBeEmpty = true } = of ?? {};
    if (word !== undefined) neverEmpty[name] = "word";
    else if (!mayBeEmpty) neverEmpty[name] = "value";
  }
  return { defaults, neverEmpty, spelling, table };
}

/** The same inputs, and those of further options, which stand before one of them. */
export function withOptions<Name extends string, const Table extends OptionTable>(
  { defaults, table = {}, ...declared }: DeclaredInputs<Name>,
  more: Table,
  before: string,
): DeclaredInputs<InputNames<Table, object> | Name> {
  const own = Object.entries(table);
  const at = own.findIndex(([name]) => name === before);
  return {
    ...declared,
    defaults: { ...defaults, ...inputsOf(more, {}).defaults },
    table: Object.fromEntries([...own.slice(0, at), ...Object.entries(more), ...own.slice(at)]),
  };
}

// The names are the spellings of the table's, which only the type checker cannot know.
function isComplete<Name extends string>(
  defaults: Readonly<Record<string, string>>,
  size: number,
): defaults is Readonly<Record<Name, string>> {
  return Object.keys(defaults).length === size;
}

/** What is wrong with an empty input, and how a workflow hands on a value that may be missing. */
export function emptyFault(name: string, fallback: string): string {
  const form = `\${{ inputs.${name} || '${fallback}' }}`;
  return `is empty: the output or input that it hands on was probably empty; write \`${form}\` to hand on an optional one`;
}
