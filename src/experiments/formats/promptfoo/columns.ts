import type { FormatContext } from "../shared/format.ts";
import type { JsonObject } from "../../../files/json/value.ts";
import type { ResultFile } from "../../rows/result-file.ts";
import type { SourceRow } from "../../rows/source-row.ts";
import { canonicalJson } from "../../../text/canonical-json.ts";
import { Fields } from "../shared/fields.ts";
import { elementsAhead } from "../shared/listed-values.ts";
import { jsonLines } from "../shared/json-records.ts";
import { ALL_OTHERS } from "../shared/ledger.ts";

/**
 * The columns of a run of promptfoo, one for each prompt of each provider: `promptIdx` counts them through, so that it
 * changes with the providers before. A column's position counts the prompts of its provider, from 0.
 */
export class PromptfooColumns {
  readonly #byProvider = new Map<string, number[]>();

  /** Those of a document, as far as it lists them before its rows. */
  static ofDocument(file: ResultFile): PromptfooColumns {
    const columns = new PromptfooColumns();
    let index = 0;
    for (const prompt of elementsAhead(file, ["results", "prompts"])) {
      columns.add(providerName(Fields.quiet(prompt)), index++);
    }
    return columns;
  }

  /** Those that the rows of a file of lines name. */
  static ofLines(file: ResultFile, context: FormatContext): PromptfooColumns {
    const columns = new PromptfooColumns();
    // Errors of a line are reported when it is read again.
    for (const { record } of jsonLines(file, { ...context, fault: () => undefined })) {
      const row = Fields.quiet(record);
      const index = row.value("promptIdx");
      if (typeof index === "number") columns.add(providerName(row), index);
    }
    return columns;
  }

  /** Adds a column of a provider; one that is there already changes nothing. */
  add(provider: string, index: number): void {
    const columns = this.#byProvider.get(provider);
    if (!columns) this.#byProvider.set(provider, [index]);
    else if (!columns.includes(index)) columns.push(index);
  }

  /** Which prompt of its provider a column is; undefined for one that is not known. */
  positionOf(provider: string, index: number): number | undefined {
    const columns = this.#byProvider.get(provider) ?? [];
    if (!columns.includes(index)) return undefined;
    return columns.filter((column) => column < index).length;
  }
}

/** What names a row of promptfoo in every run. */
export interface PromptfooCase {
  readonly vars: JsonObject;
  readonly description: string | undefined;
  readonly provider: string;
  /** Which prompt of its provider it is, or its text where that is not known. */
  readonly prompt: number | string;
}

/**
 * The id of a row, and what was asked: the tool's own is random, and the order of the rows is that of their ends. It does
 * not follow from the text of the prompt, for an edited prompt is what runs are compared for; prompts that change places
 * are mixed up. Rows that are split by their provider or their prompt have one id in each part.
 */
export function promptfooId({
  vars,
  description,
  provider,
  prompt,
}: PromptfooCase): Required<Pick<SourceRow, "id" | "idWithin" | "variantOf">> {
  const isNamed = Object.keys(vars).length === 0 && description !== undefined && description !== "";
  const asked = canonicalJson(isNamed ? { description } : { vars });
  return {
    id: `[${asked},${canonicalJson(provider)},${canonicalJson(prompt)}]`,
    idWithin: (column) => {
      if (/^(?:(?:run_)?metadata\.)?provider$/.test(column)) return `[${asked},${canonicalJson({ prompt })}]`;
      return /^(?:(?:run_)?metadata\.)?prompt$/.test(column) ? `[${asked},${canonicalJson({ provider })}]` : undefined;
    },
    variantOf: asked,
  };
}

/** The provider of a row or of a prompt, as the head of a column of the CSV has it: its label, or else its id. */
export function providerName(fields: Fields): string {
  const named = fields.value("provider");
  if (typeof named === "string") return named;
  const provider = fields.someObject("provider", ALL_OTHERS);
  const names = [provider.value("label"), provider.value("id")];
  return names.filter((name) => typeof name === "string").find((name) => name !== "") ?? "";
}
