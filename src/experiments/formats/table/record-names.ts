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
    const mapped = this.#mapped;
    if (mapped) return keys.some((key) => mapped.inputs.has(key));
    const roleOf = rolesOfNames(keys);
    return keys.some((key) => roleOf(key)?.part === "inputs");
  }

  /** The same for keys that are more than a case: outputs or scores stand beside the inputs. */
  haveResults(keys: readonly string[]): boolean {
    if (this.#mapped || !this.haveInputs(keys)) return this.haveInputs(keys);
    return this.haveOutcomes(keys);
  }

  /** True where one of the keys holds outputs or scores; what a mapping does not read is none. */
  haveOutcomes(keys: readonly string[]): boolean {
    if (this.#mapped) return false;
    const roleOf = rolesOfNames(keys);
    return keys.some((key) => OUTCOMES.has(roleOf(key)?.part ?? ""));
  }

  /** True for a key that is a part of a record itself: its inputs, its outputs, its id or its error. */
  isPart(key: string): boolean {
    const mapped = this.#mapped;
    if (mapped) return mapped.all.has(key);
    // `correct_answers` of a summary are a number.
    return PARTS.has(rolesOfNames([key])(key)?.part ?? "") && !maySayRight(key);
  }
}

const OUTCOMES: ReadonlySet<string> = new Set(["outputs", "score", "scores"]);
const PARTS: ReadonlySet<string> = new Set(["inputs", "outputs", "expected", "id", "error"]);
