import { jsonOrUndefined } from "../../text/json-text.ts";
import { isJsonObject } from "./value.ts";

/** Says what is wrong with a value, as `/price must be number`; empty where nothing is. */
export type JsonCheck = (value: unknown) => string;

/**
 * The check of a JSON schema of draft 2020-12, or of draft 6 or 7 where its `$schema` says so; `format` is not looked at.
 * Throws what is wrong with the schema.
 */
export async function jsonCheck(text: string): Promise<JsonCheck> {
  const schema = jsonOrUndefined(text);
  if (!isJsonObject(schema)) throw new Error("the schema is not a JSON object");
  const options = { strict: false, validateFormats: false, logger: false } as const;
  const draft = schema["$schema"];
  // Most evaluations have no schema, and do without this package.
  const ajv =
    typeof draft === "string" && /draft-0[67]/.test(draft)
      ? new (await import("ajv")).Ajv(options)
      : new (await import("ajv/dist/2020.js")).Ajv2020(options);
  const validate = ajv.compile(schema);
  return (value) => {
    const [fault] = validate(value) ? [] : (validate.errors ?? []);
    return fault ? `${fault.instancePath} ${fault.message ?? fault.keyword}`.trimStart() : "";
  };
}
