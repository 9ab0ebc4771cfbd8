import { parseArgs } from "node:util";
import { listed, quoted } from "../src/text/quoted.ts";

/** The command line asks for what there is not: its message is one sentence for the user. */
export class UsageError extends Error {}

/** One option of a bench: the text of --help, and how what is written becomes its value, both from here. */
interface Option<Value> {
  readonly about: string;
  /** What stands behind the name, as in `--rounds N`. */
  readonly placeholder: string;
  /** What --help says of an option that is not given. */
  readonly otherwise: string;
  readonly preset: Value;
  /** `flag` is the option as it was written, and `texts` are its values in order, at least one. */
  readonly read: (flag: string, texts: readonly string[]) => Value;
}

type Options = Readonly<Record<string, Option<unknown>>>;
type ValuesOf<Of extends Options> = {
  readonly [Name in keyof Of]: Of[Name] extends Option<infer Value> ? Value : never;
};

/** What `npm run bench -- NAME` runs. */
export interface Bench {
  readonly sentence: string;
  readonly options: Options;
  /** Throws a UsageError for options that it does not have or values that they do not take. */
  readonly run: (args: readonly string[]) => Promise<void>;
  /** The claims of the nightly run: small enough for a few minutes together, with wide limits. */
  readonly short?: (() => Promise<readonly Claim[]>) | undefined;
}

/** A ratio of processor times that should not be above a limit. */
export interface Claim {
  readonly what: string;
  /** Undefined where this machine does not have what is measured, or does not report it. */
  readonly ratio: number | undefined;
  readonly most: number;
}

/** A bench whose work gets the values of its options. */
export function bench<Of extends Options>(
  sentence: string,
  options: Of,
  work: (values: ValuesOf<Of>) => Promise<void>,
  short?: Bench["short"],
): Bench {
  return {
    sentence,
    options,
    run: async (args) => await work(parse(options, args, short === undefined ? [] : ["--short"])),
    short,
  };
}

/** A whole number of something, at least 1; `otherwise` says what holds where there is no preset. */
export function count<Preset extends number | undefined>(
  about: string,
  preset: Preset,
  { least = 1, otherwise = String(preset) } = {},
): Option<Preset | number> {
  const read = (flag: string, texts: readonly string[]) => {
    const text = texts.at(-1) ?? "";
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
    throw new UsageError(`${flag} takes a whole number from ${least} up, not ${quoted(text)}.`);
  };
  return { about, placeholder: "N", otherwise, preset, read };
}

/** A number within a range. */
export function number(
  about: string,
  preset: number,
  { least, most = Infinity }: { readonly least: number; readonly most?: number },
): Option<number> {
  const read = (flag: string, texts: readonly string[]) => {
    const text = texts.at(-1) ?? "";
    const value = Number(text);
    if (text.trim() !== "" && value >= least && value <= most && Number.isFinite(value)) return value;
    const range = most === Infinity ? `a number from ${least} up` : `a number from ${least} to ${most}`;
    throw new UsageError(`${flag} takes ${range}, not ${quoted(text)}.`);
  };
  return { about, placeholder: "N", otherwise: String(preset), preset, read };
}

/** Some of these names; the option may be given several times. */
export function names(about: string, all: readonly string[], preset = all): Option<readonly string[]> {
  const read = (flag: string, texts: readonly string[]) => {
    const unknown = texts.find((text) => !all.includes(text));
    if (unknown === undefined) return texts;
    throw new UsageError(`${flag} takes ${listed(all)}, not ${quoted(unknown)}.`);
  };
  const otherwise = preset === all ? "all" : preset.join(", ");
  return { about: `${about}: ${listed(all)}`, placeholder: "NAME", otherwise, preset, read };
}

/** What --help prints, a line for each option. */
export function helpOf(name: string, { sentence, options, short }: Bench): readonly string[] {
  const rows = Object.entries(options).map(([key, { about, placeholder, otherwise }]) => {
    return [`--${key} ${placeholder}`, `${about} (default: ${otherwise})`] as const;
  });
  const all = [
    ...rows,
    ...(short === undefined ? [] : [["--short", "measures the part of the nightly run, and nothing else"] as const]),
    ["--help", "prints this"] as const,
  ];
  const width = Math.max(...all.map(([left]) => left.length));
  const lines = all.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
  return [`npm run bench -- ${name} [options]`, "", `Measures ${sentence}.`, "", ...lines];
}

function parse<Of extends Options>(options: Of, args: readonly string[], others: readonly string[]): ValuesOf<Of> {
  const texts = new Map<string, string[]>();
  const types = Object.fromEntries(Object.keys(options).map((key) => [key, { type: "string" as const }]));
  // What is wrong is said here, in a sentence that names what there is.
  const { tokens } = parseArgs({ args: [...args], options: types, strict: false, tokens: true });
  const all = listed([...Object.keys(options).map((name) => `--${name}`), ...others, "--help"], { conjunction: "and" });
  for (const token of tokens) {
    const written = token.kind === "option" ? token.rawName : token.kind === "positional" ? token.value : "--";
    if (token.kind !== "option" || !Object.hasOwn(options, token.name)) {
      throw new UsageError(`${quoted(written)} is not an option of this bench. Its options are ${all}.`);
    }
    if (token.value === undefined) throw new UsageError(`${written} needs a value.`);
    texts.set(token.name, [...(texts.get(token.name) ?? []), token.value]);
  }
  const values = Object.entries(options).map(([key, { preset, read }]) => {
    const given = texts.get(key);
    return [key, given === undefined ? preset : read(`--${key}`, given)] as const;
  });
  return Object.fromEntries(values) as ValuesOf<Of>;
}
