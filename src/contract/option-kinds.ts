import * as z from "zod";
import { parseSize } from "../text/bytes.ts";
import { AGE, parseDuration, writeDuration } from "../text/duration.ts";
import { listed, quoted } from "../text/quoted.ts";
import {
  anyObject,
  anyText,
  choice as oneOf,
  count as someCount,
  flag as trueOrFalse,
  given,
  milliseconds,
  somePath,
  someText,
  texts,
} from "./call-arguments.ts";
import type { Kind, TextReading } from "./options.ts";
import { isUuid, uuidOf } from "./uuid.ts";

const asIs = (text: string): TextReading<string> => ({ value: text });

/** What a text was read as; where that is undefined, a harmless value, and what is wrong with the text. */
export function reading<Value>(text: string, value: Value | undefined, harmless: Value, fault: string) {
  return value === undefined ? { value: harmless, fault: `${quoted(text)} ${fault}` } : { value };
}

/** A text that is what it says, and valid. */
function validText(isValid: (text: string) => boolean, fault: string): Kind<string> {
  return {
    type: "string",
    shape: () => someText.refine(isValid, fault),
    parse: (value) => reading(value, isValid(value) ? value : undefined, value, fault),
  };
}

/** A text that is what it says. */
export const text: Kind<string> = { type: "string", shape: () => someText, parse: asIs };

/** The same in one line. */
export const line = validText((value) => !/\p{Cc}/u.test(value), "contains a line break or another control character");

const isWord = (value: string) => !/\s/.test(value);
const NOT_A_WORD = "contains whitespace";

/** A text without blanks, such as the URI of an image. */
export const word: Kind<string> = {
  ...validText(isWord, NOT_A_WORD),
  shape: () => line.shape().refine(isWord, NOT_A_WORD),
};

/** A path; from which directory it leads is the door's to say. */
export const path: Kind<string> = { type: "string", shape: () => somePath, parse: asIs };

/** The lines that are not blank, each as it is written. */
export const lines: Kind<readonly string[]> = {
  type: "readonly string[]",
  shape: () => texts,
  parse: (value) => ({ value: value.split(/\r?\n/).filter((each) => each.trim() !== "") }),
};

/** The same without blanks at the ends of a line. */
export const entries: Kind<readonly string[]> = {
  ...lines,
  parse: (value) => ({ value: lines.parse(value).value.map((each) => each.trim()) }),
};

/** YAML 1.2's booleans, and no others: `yes` and `1` mean different things to different readers. */
export const flag: Kind<boolean> = {
  type: "boolean",
  shape: () => trueOrFalse,
  parse: (value) => {
    const isTrue = /^(true|True|TRUE)$/.test(value);
    const isFlag = isTrue || /^(false|False|FALSE)$/.test(value);
    return reading(value, isFlag ? isTrue : undefined, false, "is not valid (choose true or false)");
  },
};

/** One of these words. */
export function choice<const Choice extends string>(words: readonly [Choice, ...Choice[]]): Kind<Choice> {
  return {
    type: words.map((each) => JSON.stringify(each)).join(" | "),
    shape: () => oneOf(words),
    parse: (value) => {
      const chosen = words.find((each) => each === value);
      return reading(value, chosen, words[0], `is not valid (choose ${listed(words)})`);
    },
  };
}

/** One of these words, or `auto`, the default, for what is found out: undefined. */
export function choiceOrAuto<const Choice extends string>(
  words: readonly [Choice, ...Choice[]],
): Kind<Choice | undefined, Choice> {
  const withAuto = choice<"auto" | Choice>(["auto", ...words]);
  return {
    ...choice(words),
    parse: (value) => {
      const read = withAuto.parse(value);
      return { ...read, value: words.find((each) => each === read.value) };
    },
  };
}

/**
 * Bounds of a timeout, milliseconds. A week is more than any runner waits, and well below the 24.8 days
 * after which a timer of Node overflows.
 */
export const TIMEOUT_BOUNDS = { least: 100, most: 7 * 24 * 3_600_000 } as const;

/** Milliseconds; the bounds are those of a text. */
export function duration({ least, most }: { readonly least: number; readonly most: number }): Kind<number> {
  return {
    type: "number",
    form: { text: "as `90s`, `30m`, `1.5h` or seconds", value: "in milliseconds" },
    shape: () => milliseconds,
    parse: (written) => {
      const value = parseDuration(written);
      if (value === undefined || (value >= least && value <= most)) {
        return reading(written, value, least, "is not a valid duration (examples: 90s, 30m, 1.5h)");
      }
      const bounds = `must be between ${writeDuration(least)} and ${writeDuration(most)}`;
      return reading(written, undefined, value, bounds);
    },
  };
}

/** Milliseconds, in a text also as days; `examples` are of the form that fits. */
export function age(examples: string): Kind<number> {
  return {
    type: "number",
    shape: () => z.number("must be a number of milliseconds").min(1, "must be 1 or more"),
    parse: (written) => reading(written, parseDuration(written, AGE), 1, `is not a valid age (examples: ${examples})`),
  };
}

/** What a text is that is not a size. */
export const NOT_A_SIZE = "is not a valid size (examples: 200MiB, 1GB, 1048576)";

/** Bytes, at least one. */
export const size: Kind<number> = {
  type: "number",
  form: { text: "as `200MiB`, `1GB` or bytes", value: "in bytes" },
  shape: () => someCount,
  parse: (written) => {
    const value = parseSize(written) ?? 0;
    return reading(written, value < 1 ? undefined : value, 0, NOT_A_SIZE);
  },
};

/** The whole number that a text is; undefined for another text, and for one below `least`. */
function wholeFrom(least: number, written: string): number | undefined {
  const value = /^\d+$/.test(written) ? Number(written) : Number.NaN;
  return value >= least && Number.isSafeInteger(value) ? value : undefined;
}

/** A whole number from 1 on; `none` is what is written for no number. */
export function count(none = "empty"): Kind<number> {
  return {
    type: "number",
    shape: () => someCount,
    parse: (written) => reading(written, wholeFrom(1, written), 1, `must be a positive integer, or ${none}`),
  };
}

/** A whole number from 0 on. */
export const countOrZero: Kind<number> = {
  type: "number",
  shape: () => z.int("must be a whole number").min(0, "must be 0 or more"),
  parse: (written) => reading(written, wholeFrom(0, written), 0, "must be a whole number, 0 or more"),
};

/** An amount above zero. */
export const amount: Kind<number> = {
  type: "number",
  shape: () => z.number("must be a number").positive("must be above 0"),
  parse: (written) => {
    const value = /^\d+(?:\.\d+)?$/.test(written) ? Number(written) : 0;
    const isAmount = value > 0 && Number.isFinite(value);
    return reading(written, isAmount ? value : undefined, 1, "must be a number above 0, or empty");
  },
};

const NOT_A_UUID = "is not a valid UUID";

/** The id of a thing in the service. */
export const uuid = validText(isUuid, NOT_A_UUID);

/** A word that stands for such an id, or the id itself. */
export function uuidOr(standing: string): Kind<string> {
  return validText((value) => value === standing || isUuid(value), `is neither \`${standing}\` nor a valid UUID`);
}

/** A UUID as tools write it, also without dashes; its value has them. */
export const looseUuid: Kind<string> = {
  type: "string",
  shape: () => anyText.refine((value) => uuidOf(value) !== undefined, NOT_A_UUID),
  parse: (written) => reading(written, uuidOf(written), written, NOT_A_UUID),
};

/** An object with the caller's own keys; a text is YAML, which the door reads. */
export const mapping: Kind<string, Readonly<Record<string, unknown>>> = {
  type: "Readonly<Record<string, unknown>>",
  shape: () => anyObject,
  parse: asIs,
};

/** Texts by their names, of which none may be undefined; a text has lines, which the door reads. */
export const textsByName: Kind<string, Readonly<Record<string, string>>> = {
  type: "Readonly<Record<string, string | undefined>>",
  shape: () => z.record(z.string(), given(anyText), "must be an object of names and texts"),
  parse: asIs,
};

/** Paths, directories and globs; a text has one in each line. */
export const patterns: Kind<readonly string[], string | readonly string[]> = {
  ...entries,
  type: "string | readonly string[]",
  shape: () => z.union([somePath, z.array(somePath).min(1, "is empty")], "must be a path or a glob, or a list of them"),
};

/** A name in one line where it is written; a program may give any text. */
export const label: Kind<string> = { ...line, shape: () => someText };

/** Any text, also an empty one. */
export const prose: Kind<string> = { ...text, shape: () => anyText };
