import { isJsonObject } from "../../../files/json-object.ts";
import type { JsonValue } from "../../../files/json/value.ts";

/** Why a scorer gave its score, which the scorers of autoevals and those made after it put into `metadata`. */
export function rationaleOf(metadata: JsonValue | undefined): string | undefined {
  const rationale = isJsonObject(metadata) ? metadata["rationale"] : undefined;
  return typeof rationale === "string" ? rationale : undefined;
}
