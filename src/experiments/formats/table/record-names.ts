import { firstOfBrackets } from "../../rows/dotted-path.ts";
import { mappedPaths, mapsColumns } from "../../rows/mapped-paths.ts";
import type { Mapping } from "../../rows/mapping.ts";
import { maySayRight } from "./part-rules.ts";
import { rolesOfNames } from "./column-roles.ts";

/** Recognizes the keys of records: by the names of a mapping, or else by the known ones. */
export class RecordNames {
  /** The keys of the inputs, and of all that a mapping reads. */
  readonly #mapped: { readonly inputs: ReadonlySet<string>; readonly all: ReadonlySet<string> } | undefined;

  constructor(mapping: Mapping | undefined) {
    if (!mapsColumns(mapping)) return;
    const paths = mappedPaths(mapping);
    const keysOf = (of: typeof paths) =>
      new Set(of.flatMap(({ name }) => [name, firstOfBrackets(name) ?? name.split(".")[0] ?? name]));
    this.#mapped = { inputs: keysOf(paths.filter(({ role }) => role.part === "inputs")), all: keysOf(paths) };
  }

  /** True where one of the keys holds inputs. */
  haveInputs(keys: readonly string[]): boolean {
    const { inputs } = this.#mapped ?? {};
    return inputs ? keys.some((key) => inputs.has(key)) : partsOf(keys).includes("inputs");
  }

  /** The same for keys that are more than a case: outputs or scores stand beside the inputs. */
  haveResults(keys: readonly string[]): boolean {
    return this.haveInputs(keys) && (this.#mapped !== undefined || this.haveOutcomes(keys));
  }

  /** True where one of the keys holds outputs or scores; what a mapping does not read is none. */
  haveOutcomes(keys: readonly string[]): boolean {
    return !this.#mapped && partsOf(keys).some((part) => OUTCOMES.has(part));
  }

  /** True for a key that is a part of a record itself: its inputs, its outputs, its id or its error. */
  isPart(key: string): boolean {
    if (this.#mapped) return this.#mapped.all.has(key);
    // `correct_answers` of a summary are a number.
    return partsOf([key]).some((part) => PARTS.has(part)) && !maySayRight(key);
  }
}

function partsOf(keys: readonly string[]): readonly string[] {
  const roleOf = rolesOfNames(keys);
  return keys.flatMap((key) => roleOf(key)?.part ?? []);
}

const OUTCOMES: ReadonlySet<string> = new Set(["outputs", "score", "scores"]);
const PARTS: ReadonlySet<string> = new Set(["inputs", "outputs", "expected", "id", "error"]);
