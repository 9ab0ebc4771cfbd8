import type { JsonObject, JsonValue } from "../../../files/json/value.ts";
import type { SourceScore } from "../../rows/source-row.ts";
import { ScoreKeys } from "./score-keys.ts";
import { wordScore } from "./score-word.ts";

/** The properties of a test, as a user recorded them: one name may stand there twice. */
export type TestProperties = readonly (readonly [name: string, value: JsonValue])[];

/** The scores among the properties of a test: those that are named `score.…`. `taken` are keys that the row has. */
export function propertyScores(properties: TestProperties, taken: readonly string[]): readonly SourceScore[] {
  const keys = new ScoreKeys(taken);
  return properties
    .filter(([name]) => isScore(name))
    .map(([name, value]) => ({ key: keys.next(name.slice(PREFIX.length)), value: wordScore(value) }));
}

/** The properties that are no scores. */
export function withoutScores(properties: TestProperties): JsonObject {
  return Object.fromEntries(properties.filter(([name]) => !isScore(name)));
}

const PREFIX = "score.";

function isScore(name: string): boolean {
  return name.startsWith(PREFIX) && name.length > PREFIX.length;
}
