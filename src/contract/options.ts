import type * as z from "zod";
import { listed } from "../text/quoted.ts";

// What may be asked of a workflow, as data: a table of options by their neutral names, such as `graphConfig`. Each door
// spells these names in its own way, and adds what its user can do about a fault.

/** A text that was read: its value, or what is wrong with it, to be read after the option's name, and a harmless value. */
export interface TextReading<Value> {
  readonly value: Value;
  readonly fault?: string;
}

/** What values an option takes. */
export interface Kind<Value> {
  /** The type of the value that a program gives. */
  readonly type: string;
  /** How the value is written in a text, and in a program: one of them stands for `{form}` in what is said of an option. */
  readonly form?: { readonly text: string; readonly value: string };
  /** The check of a value that a program gives. */
  readonly shape: z.ZodType;
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
  /** Its value is never printed. */
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
export interface Option<Value> extends OptionFacts {
  readonly kind: Kind<unknown>;
  readonly parse: (text: string) => TextReading<Value>;
}

/** Options by their neutral names. */
export type OptionTable<Name extends string = string> = Readonly<Record<Name, Option<unknown>>>;

/** The values of a table. */
export type OptionValues<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : never;
};

/** An option of this kind. One with a default always has a value. */
export function option<Value>(kind: Kind<Value>, facts: OptionFacts & { readonly default: string }): Option<Value>;
export function option<Value>(kind: Kind<Value>, facts: OptionFacts): Option<Value | undefined>;
export function option<Value>(kind: Kind<Value>, facts: OptionFacts): Option<Value | undefined> {
  const { default: fallback } = facts;
  const parse = (text: string): TextReading<Value | undefined> =>
    text === "" && fallback === undefined ? { value: undefined } : kind.parse(text === "" ? (fallback ?? "") : text);
  return { ...facts, kind, parse };
}

/** A rule on several options that one of them breaks. */
export interface OptionFault<Name extends string = string> {
  readonly field: Name;
  readonly code: "NOT_WITH" | "OF_SOURCE" | "WITHOUT";
  /** To be read after the name; without a full stop, and with neutral names in backticks. */
  readonly message: string;
}

/** What is given and has no effect, or contradicts another option; `source` is the one that is chosen, if there are several. */
export function checkOptions<Name extends string>(
  table: OptionTable<Name>,
  isGiven: (name: string) => boolean,
  source?: string,
): readonly OptionFault<Name>[] {
  return namesOf(table).flatMap((field): readonly OptionFault<Name>[] => {
    if (!isGiven(field)) return [];
    const { of, with: needed, notWith = [] } = table[field];
    const other = notWith.find(isGiven);
    if (other !== undefined) {
      const why = new Map<string, Option<unknown>>(Object.entries(table)).get(other)?.excludes;
      const message = `cannot be combined with \`${other}\`${why === undefined ? "" : `, ${why}`}`;
      return [{ field, code: "NOT_WITH", message }];
    }
    if (needed !== undefined && !isGiven(needed)) {
      return [{ field, code: "WITHOUT", message: `has no effect without \`${needed}\`` }];
    }
    if (of === undefined || source === undefined || of.includes(source)) return [];
    const message = `applies only to source ${listed(of)}; the source here is ${source}`;
    return [{ field, code: "OF_SOURCE", message }];
  });
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
