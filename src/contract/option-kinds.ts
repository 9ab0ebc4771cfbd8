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
} from "./argument-shapes.ts";
import type { Kind, TextReading } from "./options.ts";
import { isUuid, uuidOf } from "./uuid.ts";

const asIs = (text: string): TextReading<string> => ({ value: text });
const CONTROL = /\p{Cc}/u;
const NOT_A_LINE = "contains a line break or another control character";
const someLine = () => someText.refine((value) => !CONTROL.test(value), NOT_A_LINE);

/** A text that is what it says. */
export const text: Kind<string> = { type: "string", shape: () => someText, parse: asIs };

/** The same in one line. */
export const line: Kind<string> = {
  type: "string",
  shape: someLine,
  parse: (value) => ({ value, ...(CONTROL.test(value) ? { fault: `${quoted(value)} ${NOT_A_LINE}` } : {}) }),
};

/** A text without blanks, such as the URI of an image. */
export const word: Kind<string> = {
  type: "string",
  shape: () => someLine().refine((value) => !/\s/.test(value), "contains whitespace"),
  parse: (value) => ({ value, ...(/\s/.test(value) ? { fault: `${quoted(value)} contains whitespace` } : {}) }),
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
    if (/^(true|True|TRUE)$/.test(value)) return { value: true };
    return /^(false|False|FALSE)$/.test(value)
      ? { value: false }
      : { value: false, fault: `${quoted(value)} is not valid (choose true or false)` };
  },
};

/** One of these words. */
export function choice<const Choice extends string>(words: readonly [Choice, ...Choice[]]): Kind<Choice> {
  return {
    type: words.map((each) => JSON.stringify(each)).join(" | "),
    shape: () => oneOf(words),
    parse: (value) => {
      const chosen = words.find((each) => each === value);
      if (chosen !== undefined) return { value: chosen };
      return { value: words[0], fault: `${quoted(value)} is not valid (choose ${listed(words)})` };
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
      if (value === undefined) {
        return { value: least, fault: `${quoted(written)} is not a valid duration (examples: 90s, 30m, 1.5h)` };
      }
      if (value >= least && value <= most) return { value };
      return { value, fault: `${quoted(written)} must be between ${writeDuration(least)} and ${writeDuration(most)}` };
    },
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
    return { value, ...(value < 1 ? { fault: `${quoted(written)} ${NOT_A_SIZE}` } : {}) };
  },
};

/** A whole number from 1 on; `none` is what is written for no number. */
export function count(none = "empty"): Kind<number> {
  return {
    type: "number",
    shape: () => someCount,
    parse: (written) => {
      const value = /^\d+$/.test(written) ? Number(written) : 0;
      if (value >= 1 && Number.isSafeInteger(value)) return { value };
      return { value: 1, fault: `${quoted(written)} must be a positive integer, or ${none}` };
    },
  };
}

/** A whole number from 0 on. */
export const countOrZero: Kind<number> = {
  type: "number",
  shape: () => z.int("must be a whole number").min(0, "must be 0 or more"),
  parse: (written) => {
    const value = /^\d+$/.test(written) ? Number(written) : Number.NaN;
    if (Number.isSafeInteger(value)) return { value };
    return { value: 0, fault: `${quoted(written)} must be a whole number, 0 or more` };
  },
};

/** An amount above zero. */
export const amount: Kind<number> = {
  type: "number",
  shape: () => z.number("must be a number").positive("must be above 0"),
  parse: (written) => {
    const value = /^\d+(?:\.\d+)?$/.test(written) ? Number(written) : 0;
    if (value > 0 && Number.isFinite(value)) return { value };
    return { value: 1, fault: `${quoted(written)} must be a number above 0, or empty` };
  },
};

/** The id of a thing in the service. */
export const uuid: Kind<string> = {
  type: "string",
  shape: () => someText.refine(isUuid, "is not a valid UUID"),
  parse: (value) => ({ value, ...(isUuid(value) ? {} : { fault: `${quoted(value)} is not a valid UUID` }) }),
};

/** A word that stands for such an id, or the id itself. */
export function uuidOr(standing: string): Kind<string> {
  const isValid = (value: string) => value === standing || isUuid(value);
  const fault = `is neither \`${standing}\` nor a valid UUID`;
  return {
    type: "string",
    shape: () => someText.refine(isValid, fault),
    parse: (value) => ({ value, ...(isValid(value) ? {} : { fault: `${quoted(value)} ${fault}` }) }),
  };
}

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

/** One of these words, or `auto`, the default, for what is found out: undefined. */
export function choiceOrAuto<const Choice extends string>(words: readonly Choice[]): Kind<Choice | undefined, Choice> {
  return {
    type: words.map((each) => JSON.stringify(each)).join(" | "),
    shape: () => oneOf(words),
    parse: (value) => {
      const chosen = words.find((each) => each === value);
      if (chosen !== undefined || value === "auto") return { value: chosen };
      return { value: undefined, fault: `${quoted(value)} is not valid (choose ${listed(["auto", ...words])})` };
    },
  };
}

/** Milliseconds, in a text also as days; `examples` are of the form that fits. */
export function age(examples: string): Kind<number> {
  return {
    type: "number",
    shape: () => z.number("must be a number of milliseconds").min(1, "must be 1 or more"),
    parse: (written) => {
      const value = parseDuration(written, AGE);
      if (value !== undefined) return { value };
      return { value: 1, fault: `${quoted(written)} is not a valid age (examples: ${examples})` };
    },
  };
}

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

/** A UUID as tools write it, also without dashes; its value has them. */
export const looseUuid: Kind<string> = {
  type: "string",
  shape: () => anyText.refine((value) => uuidOf(value) !== undefined, "is not a valid UUID"),
  parse: (written) => {
    const value = uuidOf(written);
    return value === undefined ? { value: written, fault: `${quoted(written)} is not a valid UUID` } : { value };
  },
};
