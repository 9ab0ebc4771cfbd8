import { isDeepStrictEqual } from "node:util";
import structPb from "google-protobuf/google/protobuf/struct_pb.js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";

/** Properties as they travel: plain JSON, in which an object with the signature key stands for a secret. */
export type Properties = Readonly<Record<string, unknown>>;

/** What a preview puts in place of a value that only the update will know. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** An object that is not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for a value that is marked as a secret itself. */
function isSecret(value: unknown): value is { readonly value: unknown } {
  return isRecord(value) && value[SIGNATURE] === SECRET;
}

/** The value, marked; a secret stays as it is. */
function asSecret(value: unknown): unknown {
  return isSecret(value) ? value : { [SIGNATURE]: SECRET, value };
}

/** A copy in which every secret is what `replace` makes of its plain value. */
function replaceSecrets(value: unknown, replace: (plain: unknown) => unknown): unknown {
  if (isSecret(value)) return replace(value.value);
  if (Array.isArray(value)) return value.map((item) => replaceSecrets(item, replace));
  return isRecord(value) ? mapSecrets(value, replace) : value;
}

/** As `replaceSecrets`, for properties. */
export function mapSecrets(properties: Properties, replace: (plain: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [key, replaceSecrets(value, replace)] as const),
  );
}

/** A copy without the marks: what a provider gets that does not accept secrets. */
export function plain(properties: Properties): Record<string, unknown> {
  const unwrap = (value: unknown): unknown => replaceSecrets(value, unwrap);
  return mapSecrets(properties, unwrap);
}

/**
 * A copy of `properties` in which each is marked whose namesake in `model` holds a secret. Objects are compared key by
 * key; a list with one secret in it is a secret as a whole.
 */
export function markedLike(properties: Properties, model: Properties): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => {
      const other = Object.hasOwn(model, key) ? model[key] : undefined;
      if (isPlainRecord(value) && isPlainRecord(other)) return [key, markedLike(value, other)];
      return [key, holdsSecret(other) ? asSecret(value) : value];
    }),
  );
}

/** The keys whose values differ, whatever is marked. */
export function changedKeys(olds: Properties, news: Properties): readonly string[] {
  const before = plain(olds);
  const after = plain(news);
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => !isDeepStrictEqual(before[key], after[key]));
}

/** The new inputs with what the paths name taken from the old ones. A path is keys with dots between, or `*`. */
export function ignoringChanges(news: Properties, olds: Properties, paths: readonly string[]): Properties {
  let result: Properties = news;
  for (const path of paths) {
    if (path === "*") return olds;
    result = reset(result, olds, path.split("."));
  }
  return result;
}

/** Properties as a message carries them. */
export function toStruct(properties: Properties): Struct {
  // Only JSON gets here, which is what a struct holds; a copy drops keys that are undefined, which it cannot carry.
  const json = JSON.parse(JSON.stringify(properties)) as Parameters<typeof structPb.Struct.fromJavaScript>[0];
  return structPb.Struct.fromJavaScript(json);
}

/** The properties of a message; {} where it carries none. */
export function fromStruct(struct: Struct | undefined): Record<string, unknown> {
  return struct?.toJavaScript() ?? {};
}

function isPlainRecord(value: unknown): value is Record<string, unknown> {
  // Whatever carries a signature (a secret, an archive, a reference) counts as one value.
  return isRecord(value) && !Object.hasOwn(value, SIGNATURE);
}

function holdsSecret(value: unknown): boolean {
  if (isSecret(value)) return true;
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isRecord(value) && Object.values(value).some(holdsSecret);
}

function reset(news: Properties, olds: Properties, path: readonly string[]): Properties {
  const [key = "", ...rest] = path;
  const before = olds[key];
  const after = news[key];
  if (rest.length > 0 && isPlainRecord(before) && isPlainRecord(after)) {
    return { ...news, [key]: reset(after, before, rest) };
  }
  const { [key]: _dropped, ...others } = news;
  return Object.hasOwn(olds, key) ? { ...others, [key]: before } : others;
}
