import { Ajv, type ValidateFunction } from "ajv";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../scripts/command.ts";
import type { FileSchema } from "../../src/contract/schema-address.ts";

/** A check by a JSON schema of the package, as an editor makes it. */
export function validatorOf(name: FileSchema): ValidateFunction {
  const schema: unknown = JSON.parse(readFileSync(join(projectRoot, "schema", `${name}.schema.json`), "utf8"));
  if (typeof schema !== "object" || schema === null) throw new Error(`${name} is not a schema`);
  // A setting of the agent server may be of several types, and says nothing of a value that is not an object.
  return new Ajv({ allErrors: true, strictTypes: false, allowUnionTypes: true, validateFormats: false }).compile(
    schema,
  );
}

/** What is wrong with a value by the schema: lines such as `/graphs must have required property 'path'`. */
export function faultsBy(validate: ValidateFunction, value: unknown): readonly string[] {
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);
}
