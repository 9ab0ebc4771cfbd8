import { isRecord } from "../../src/contract/call-arguments.ts";
import structMessages from "google-protobuf/google/protobuf/struct_pb.js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import type { Properties } from "../core/state/state.ts";
import { isObject } from "../core/state/unknown-values.ts";

// How Pulumi marks a secret among plain JSON: https://www.pulumi.com/docs/iac/guides/building-extending/providers/
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** The properties of a message, secrets with their marks; {} where it has none. */
export function fromStruct(struct: Struct | undefined): Properties {
  return struct?.toJavaScript() ?? {};
}

/** Properties as a message carries them; keys that are undefined, which it cannot carry, are left out. */
export function toStruct(properties: Properties): Struct {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- What JSON holds a struct holds too.
  const json = JSON.parse(JSON.stringify(properties)) as Parameters<typeof structMessages.Struct.fromJavaScript>[0];
  return structMessages.Struct.fromJavaScript(json);
}

/** A copy without the marks of secrets. */
export function plain(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, unmarked(value)]));
}

function unmarked(value: unknown): unknown {
  if (isSecret(value)) return unmarked(value.value);
  if (Array.isArray(value)) return value.map(unmarked);
  return isObject(value) ? plain(value) : value;
}

/**
 * A copy in which what is a secret in `model` is one: objects are compared key by key, and a list with a secret in it is
 * a secret as a whole.
 */
export function markedLike(properties: Properties, model: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => {
      const other = Object.hasOwn(model, key) ? model[key] : undefined;
      if (isRecord(value) && isRecord(other) && !isSecret(other)) return [key, markedLike(value, other)];
      return [key, holdsSecret(other) ? asSecret(value) : value];
    }),
  );
}

/** A value with the mark of a secret. */
function asSecret(value: unknown): unknown {
  return isSecret(value) ? value : { [SIGNATURE]: SECRET, value: unmarked(value) };
}

/** True for a secret, and for a list or an object with one in it. */
export function holdsSecret(value: unknown): boolean {
  return isSecret(value) || (isObject(value) && Object.values(value).some(holdsSecret));
}

function isSecret(value: unknown): value is { readonly value: unknown } {
  return isRecord(value) && value[SIGNATURE] === SECRET;
}

/** A model in which these properties are secrets. */
export function modelOf(secrets: readonly string[]): Properties {
  return Object.fromEntries(secrets.map((name) => [name, asSecret({})]));
}

/** A model of a deployment in which all that is always a secret is one. */
export const SECRET_MODEL: Properties = modelOf(["secrets"]);
