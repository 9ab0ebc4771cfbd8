import fc from "fast-check";
import { hostileText } from "./hostile-text.ts";

// What the product itself says in an event, or in an error.
const OWN_KEYS: ReadonlySet<string> = new Set(["type", "step", "outcome", "verdict", "by", "part"]);
const OWN_KEYS_OF_AN_ERROR: ReadonlySet<string> = new Set(["name", "code", "outcome", "reasons"]);
const OWN_WORDS: ReadonlySet<string> = new Set([
  ...["build", "deploy", "file", "symlink", "create", "update", "secret", "built-in", "rule"],
  ...["uploaded", "dry-run", "no-files", "failed", "uncertain", "partial", "complete"],
]);

/** One of these runs, in which every text from outside is hostile. */
export function hostileRuns<Event>(...runs: readonly (readonly Event[])[]): fc.Arbitrary<readonly Event[]> {
  const texts = fc.array(hostileText, { minLength: 12, maxLength: 12 });
  return fc.tuple(fc.constantFrom(...runs), texts).map(([run, given]) => {
    let used = 0;
    const next = () => given[used++ % given.length] ?? "";
    return run.map((event) => withTexts(event, next) as Event);
  });
}

function withTexts(value: unknown, next: () => string, key = ""): unknown {
  if (typeof value === "string") return OWN_KEYS.has(key) || OWN_WORDS.has(value) ? value : next();
  if (typeof value !== "object" || value === null) return value;
  // A run may have any number of warnings.
  if (Array.isArray(value)) return key === "warnings" ? [next(), next()] : value.map((one) => withTexts(one, next));
  if (value instanceof Map) {
    return new Map([...value].map(([one, other]) => [withTexts(one, next), withTexts(other, next)]));
  }
  const isError = value instanceof Error;
  const copy = Object.create(Object.getPrototypeOf(value) as object) as object;
  for (const name of Object.getOwnPropertyNames(value)) {
    const old: unknown = Reflect.get(value, name);
    const isOwn = isError && OWN_KEYS_OF_AN_ERROR.has(name);
    Object.defineProperty(copy, name, { value: isOwn ? old : withTexts(old, next, name), enumerable: true });
  }
  return copy;
}
