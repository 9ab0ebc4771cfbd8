import { createHash } from "node:crypto";
import { isJsonObject } from "../../../files/json-object.ts";
import { jsonListElements } from "../../../files/json/array-split.ts";
import { DataFileError } from "../../../files/json/errors.ts";
import { parseJsonValue } from "../../../files/json/parsed-value.ts";
import type { JsonValue } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import { canonicalJson } from "../../../text/canonical-json.ts";

/**
 * Tells the repeats of deepeval, whose tests pytest names `test_x[2-3]` and `test_x[spain-2-3]`, from tests with two
 * numbers as parameters, which it names alike: of repeats each case is there as often as the second number says, once
 * for each first number.
 */
export class DeepevalRepeats {
  readonly #groups = new Map<number, Map<number, number>>();

  /** Looks through lists of cases. */
  static in(file: ResultFile, lists: readonly (readonly string[])[]): DeepevalRepeats {
    const repeats = new DeepevalRepeats();
    for (const path of lists) repeats.#look(file, path);
    return repeats;
  }

  /** The name as without `-r`, where it is that of a repeat. */
  nameOf(name: string): string {
    const match = matchOf(name);
    if (match === undefined || match.of < 2) return name;
    const sums = [...(this.#groups.get(match.of)?.values() ?? [])];
    return sums.length === match.of && sums.every((sum) => sum === sums[0]) ? match.name : name;
  }

  #look(file: ResultFile, path: readonly string[]): void {
    try {
      for (const { bytes, line } of jsonListElements(file.bytes, path)) {
        // Parsing is dear, and few files have repeats.
        if (!MAY_REPEAT.test(bytes.toString("latin1"))) continue;
        this.#add(parseJsonValue(bytes, { file: file.name, line }));
      }
    } catch (error) {
      // Whoever reads the rows tells where the file breaks.
      if (!(error instanceof DataFileError)) throw error;
    }
  }

  #add(value: JsonValue): void {
    if (!isJsonObject(value)) return;
    const { name, input, expectedOutput, scenario, expectedOutcome } = value;
    const match = typeof name === "string" ? matchOf(name) : undefined;
    if (match === undefined) return;
    const content = [match.name, input, expectedOutput, scenario, expectedOutcome].map((part) => part ?? null);
    const sums = this.#groups.get(match.of) ?? new Map<number, number>();
    sums.set(match.number, ((sums.get(match.number) ?? 0) + hashOf(content)) % HASHES);
    this.#groups.set(match.of, sums);
  }
}

const MAY_REPEAT = /[[-]\d{1,3}-\d{1,3}\]"/;
const NUMBERS = /([[-])(\d{1,3})-(\d{1,3})\]$/;

interface Match {
  readonly name: string;
  readonly number: number;
  readonly of: number;
}

function matchOf(name: string): Match | undefined {
  const numbers = NUMBERS.exec(name);
  if (numbers === null) return undefined;
  const { 1: mark, 2: number, 3: of, index } = numbers;
  // By hand: an expression for all of the name tries each bracket with each hyphen behind it.
  const bracket = name.lastIndexOf("[", index);
  if (bracket === -1) return undefined;
  const parameters = mark === "[" ? "" : `[${name.slice(bracket + 1, index)}]`;
  return { name: name.slice(0, bracket) + parameters, number: Number(number), of: Number(of) };
}

// Sums of them are alike in whatever order the cases come, and exact in a double.
const HASHES = 2 ** 48;

function hashOf(content: JsonValue): number {
  return createHash("sha1").update(canonicalJson(content)).digest().readUIntBE(0, 6);
}
