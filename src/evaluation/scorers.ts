import type { JsonObject } from "../files/json/value.ts";

/** What one score is made by. */
export interface Scorer {
  readonly name: string;
  readonly definition: JsonObject;
}
