import type * as z from "zod";
import { orLeftOut } from "./call-arguments.ts";
import { listed } from "../text/quoted.ts";

// What may be asked of a workflow, as data: a table of options by their neutral names, such as `graphConfig`. Each door
// spells these names in its own way, and adds what its user can do about a fault.

/** A text that was read: its value, or what is wrong with it, to be read after the option's name, and a harmless value. */
export interface TextReading<Value> {
  readonly value: Value;
  readonly fault?: string;
}

/** What values an option takes: what a text is read as, and what a program gives. */
export interface Kind<Value, Given = Value> {
  /** The type of the value that a program gives. */
  readonly type: string;
  /** How the value is written in a text, and in a program: one of them stands for `{form}` in what is said of an option. */
  readonly form?: { readonly text: string; readonly value: string };
  /** Makes the check of a value that a program gives; a step has none. */
  readonly shape: () => z.ZodType<Given>;
  /** Reads a text that is not empty; what needs files or further texts is read by the door, from the text itself. */
  readonly parse: (text: string) => TextReading<Value>;
}

/** What is said of an option besides its kind. */
export interface OptionFacts {
  /** What it is, in sentences that have the neutral names of other options in backticks. */
  readonly about: string;
  /** The same for a program, where another text holds. */
  readonly inPrograms?: string;
  /** The default as a text. */
  readonly default?: string;
  /** A word for no value, as the default of an option that is never empty. */
  readonly word?: string;
  /**
   * False for an option without which another thing is done: deployed to production instead of a preview, or written
   * instead of shown. An output that does not exist is an empty text, and must not be taken for one that is left out.
   */
  readonly mayBeEmpty?: false;
  /** A step has nothing to do without it. */
  readonly required?: boolean;
  /** Its text is never printed. */
  readonly secret?: true;
  /** The sources that it belongs to. */
  readonly of?: readonly string[];
  /** The option without which it has no effect. */
  readonly with?: string;
  /** The options that it cannot be combined with. */
  readonly notWith?: readonly string[];
  /** Why other options cannot be combined with this one, as the end of a sentence. */
  readonly excludes?: string;
}

/** One option; an empty text is its default, and undefined where it has none. */
export interface Option<Value, Given = unknown> extends OptionFacts {
  readonly kind: Kind<unknown, Given>;
  readonly parse: (text: string) => TextReading<Value>;
}

/** Options by their neutral names. */
export type OptionTable<Name extends string = string> = Readonly<Record<Name, Option<unknown>>>;

/** The values of a table. */
export type OptionValues<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : never;
};

/** The shapes of a table, each of an argument that may be left out. */
export type OptionShapes<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<unknown, infer Given>
    ? z.ZodOptional<z.ZodType<Given>>
    : never;
};

/** An option of this kind. One with a default always has a value. */
export function option<Value, Given>(
  kind: Kind<Value, Given>,
  facts: OptionFacts & { readonly default: string },
): Option<Value, Given>;
export function option<Value, Given>(kind: Kind<Value, Given>, facts: OptionFacts): Option<Value | undefined, Given>;
export function option<Value, Given>(kind: Kind<Value, Given>, facts: OptionFacts): Option<Value | undefined, Given> {
  const { default: fallback } = facts;
  const parse = (text: string): TextReading<Value | undefined> =>
    text === "" && fallback === undefined ? { value: undefined } : kind.parse(text === "" ? (fallback ?? "") : text);
  return { ...facts, kind, parse };
}

/** The values of a table: those that are given, else the defaults. */
export function withDefaults<Table extends OptionTable>(
  table: Table,
  given: { readonly [Name in keyof Table]?: unknown },
): OptionValues<Table> {
  const from = new Map<string, unknown>(Object.entries(given));
  const read = Object.entries<Option<unknown>>(table).map(
    ([name, { parse }]) => [name, from.get(name) ?? parse("").value] as const,
  );
  const values = Object.fromEntries(read.filter(([, value]) => value !== undefined));
  if (!areOf(table, values)) throw new Error("An option has no value.");
  return values;
}

/** True for values that the options of the table have read: only the type checker cannot know it. */
export function areOf<Table extends OptionTable>(table: Table, values: object): values is OptionValues<Table> {
  return Object.keys(values).every((name) => Object.hasOwn(table, name));
}

/** The shapes of what a program gives; one that is never empty may be left out, but not be undefined. */
export function shapesOf<Table extends OptionTable>(table: Table): OptionShapes<Table> {
  const shapes = Object.fromEntries(
    Object.entries<Option<unknown>>(table).map(([name, { kind, word, mayBeEmpty }]) => [
      name,
      word === undefined && mayBeEmpty !== false ? kind.shape().optional() : orLeftOut(kind.shape()),
    ]),
  );
  const areAll = (made: object): made is OptionShapes<Table> => Object.keys(table).every((name) => name in made);
  if (!areAll(shapes)) throw new Error("An option has no shape.");
  return shapes;
}

/** A rule on several options that one of them breaks. */
export interface OptionFault {
  /** The option by its neutral name. */
  readonly field: string;
  readonly code: "NEEDS" | "NOT_WITH" | "OF_SOURCE" | "VALUE" | "WITHOUT";
  /** The key of its value that is wrong. */
  readonly key?: string;
  /** The option that it contradicts, or that it needs. */
  readonly other?: string;
  /** To be read after the name; without a full stop, and with neutral names in backticks. */
  readonly message: string;
}

/**
 * What is given and has no effect, or contradicts another option; `source` is the one that is chosen, where there are
 * several. An option that another one excludes excludes none itself.
 */
export function checkOptions(
  table: OptionTable,
  isGiven: (name: string) => boolean,
  source?: string,
): readonly OptionFault[] {
  const all = new Map(Object.entries(table));
  const excluderOf = (name: string): string | undefined =>
    all.get(name)?.notWith?.find((other) => isGiven(other) && excluderOf(other) === undefined);
  return [...all].flatMap(([field, { of, with: needed }]): readonly OptionFault[] => {
    if (!isGiven(field)) return [];
    const other = excluderOf(field);
    if (other !== undefined) {
      const why = all.get(other)?.excludes;
      const message = `cannot be combined with \`${other}\`${why === undefined ? "" : `, ${why}`}`;
      return [{ field, code: "NOT_WITH", other, message }];
    }
    if (needed !== undefined && !isGiven(needed)) {
      return [{ field, code: "WITHOUT", other: needed, message: `has no effect without \`${needed}\`` }];
    }
    if (!of || source === undefined || of.includes(source)) return [];
    const message = `applies only to source ${listed(of)}; the source here is ${source}`;
    return [{ field, code: "OF_SOURCE", message }];
  });
}

/** A table without some of its options. */
export function without<Table extends object, const Left extends Partial<Record<keyof Table, unknown>>>(
  table: Table,
  left: Left,
): Omit<Table, keyof Left> {
  const rest: Omit<Table, keyof Left> = { ...table };
  for (const name of Object.keys(left)) Reflect.deleteProperty(rest, name);
  return rest;
}

/** The neutral names of a table, in its order. */
export function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(table).filter((name): name is Name => Object.hasOwn(table, name));
}

/** How a door spells the names of options. */
export type Spelling = (name: string) => string;

/** Kebab case, as inputs of an action and flags are spelt, but for these names. */
export function kebabCase(exceptions: Readonly<Record<string, string>>): Spelling {
  const others = new Map(Object.entries(exceptions));
  return (name) => others.get(name) ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** A sentence with the neutral names in its backticks as a door spells them, also before a value: `smokeTest: false`. */
export function spelt(message: string, spelling: Spelling): string {
  return message.replaceAll(/`([a-z]+[A-Za-z]*)(?=[`:])/g, (_, name: string) => `\`${spelling(name)}`);
}
