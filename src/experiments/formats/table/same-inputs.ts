import { countText } from "../../../text/number.ts";
import { listed, quotedName } from "../../../text/quoted.ts";
import { valueKey } from "../../rows/column-facts.ts";
import type { SeenColumn } from "../../rows/columns.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { isAbout, isNeverScore } from "./column-names.ts";
import type { ColumnSample } from "./column-sample.ts";

const MOST_NAMED = 5;

/** The columns of texts that became metadata and are another one in each row, as questions are; not ids and remarks. */
export function differingTexts(columns: readonly SeenColumn[], samples: readonly ColumnSample[]): readonly string[] {
  return samples.flatMap(({ name, kind, isNaming, hasGaps }, at) => {
    const isText = columns[at]?.role?.part === "metadata" && kind === "text" && isNaming && !hasGaps;
    return isText && !isAbout(name) && !isNeverScore(name) ? [name] : [];
  });
}

/** Finds out whether all rows have the same inputs, and nothing else says which case each is of. */
export class SameInputs {
  #inputs?: string;
  #rows = 0;
  #differ = false;

  take({ id, repetition, inputs }: SourceRow): void {
    if (this.#differ) return;
    this.#rows += 1;
    const key = inputs === undefined ? "" : valueKey(inputs);
    this.#inputs ??= key;
    this.#differ = key !== this.#inputs || id !== undefined || repetition !== undefined;
  }

  /** A sentence about columns that differ in each row; undefined where the rows are told apart. */
  sentence(file: string, columns: readonly string[]): string | undefined {
    if (this.#differ || this.#rows < 2 || columns.length === 0) return undefined;
    const names = listed(columns.map(quotedName), { conjunction: "and", most: MOST_NAMED });
    const [differ, which] = columns.length === 1 ? ["differs", "it is"] : ["differ", "one of them is"];
    const same = `all ${countText(this.#rows)} rows have the same inputs and are repetitions of one case, but ${names} ${differ} in each`;
    return `${file}: ${same}. If ${which} what was asked, rename it to \`input\`, or name the columns in a mapping.`;
  }
}
