import { isJsonObject } from "../json-object.ts";
import type { JsonValue } from "./value.ts";

/** Says what is wrong with a value, as `/price must be number`; empty where nothing is. */
export type JsonCheck = (value: unknown) => string;

/**
 * The check of a JSON schema of draft 2020-12, or of an older draft that its `$schema` names; `format` is not looked at.
 * Throws what is wrong with the schema.
 */
export async function jsonCheck(schema: JsonValue): Promise<JsonCheck> {
  if (!isJsonObject(schema)) throw new Error("a JSON schema is an object");
  const options = { strict: false, validateFormats: false, logger: false } as const;
  // Most evaluations have no schema, and do without this package.
  const ajv = /draft-0[67]/.test(String(schema["$schema"]))
    ? new (await import("ajv")).Ajv(options)
    : new (await import("ajv/dist/2020.js")).Ajv2020(options);
  const validate = ajv.compile<unknown>(schema);
  return (value) => {
    if (validate(value)) return "";
    const [{ instancePath = "", message = "is not as the schema says" } = {}] = validate.errors ?? [];
    return `${instancePath} ${message}`.trimStart();
  };
}
