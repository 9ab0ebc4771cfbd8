import { randomBytes, scryptSync } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import pLimit from "p-limit";
import { canonicalJson } from "../text/canonical-json.ts";
import type { DeployRequest, SmokeRun } from "./request.ts";

/** The secrets and settings of a deploy, hashed: another deploy can be compared with it, and its values cannot be read. */
export interface Fingerprint {
  /** Base64. */
  readonly salt: string;
  /** The names of the secrets, in order; null if the secrets were left unchanged. */
  readonly secret_names: readonly string[] | null;
  /** One hash of all secrets and of the settings of the source, base64. */
  readonly hash: string;
}

const SALT_BYTES = 16;
const HASH_BYTES = 32;

const oneByOne = pLimit(1);

/**
 * The fingerprint of a request, with a new salt unless one is given. Who reads the cache that holds the record, or a state
 * without the key of its secrets, can guess at leisure, and some secrets are short: so the hash is slow (scrypt, RFC 7914,
 * at Node's default cost, 16 MiB and about 30 ms), and one hash covers all values: hashed one by one, two short secrets
 * would cost the sum of the guesses and not the product. A command in the settings may contain a token too.
 */
export async function fingerprintOf(
  { sourceConfig, secrets }: Pick<DeployRequest, "secrets" | "sourceConfig">,
  salt = randomBytes(SALT_BYTES).toString("base64"),
): Promise<Fingerprint> {
  const values = secrets ? Object.fromEntries(secrets.map(({ name, value }) => [name, value])) : null;
  const names = values === null ? null : Object.keys(values).sort();
  return { salt, secret_names: names, hash: await hashOf({ sourceConfig, values }, salt) };
}

/** What changed from the request of a fingerprint to this one, as the beginning of "… since then"; empty if nothing did. */
export async function changeSince(
  before: Fingerprint,
  request: Pick<DeployRequest, "secrets" | "sourceConfig">,
): Promise<string> {
  const now = await fingerprintOf(request, before.salt);
  const [old, current] = [before.secret_names, now.secret_names].map((names) => names?.join(", "));
  if (old !== current) return `the secrets changed from ${namesText(old)} to ${namesText(current)}`;
  return before.hash === now.hash ? "" : "a secret or a setting of the source changed";
}

/** The hash of a smoke run, base64; slow and salted like a fingerprint, because its input may contain a secret too. */
export async function smokeRunHash({ graph, input, expect }: SmokeRun, { salt }: Fingerprint): Promise<string> {
  // Any response once passed such a run: a record of then proves less, and the run is made again.
  const rule = expect.length === 0 ? { passes: "an answer" } : {};
  return await hashOf({ graph, input, expect, ...rule }, salt);
}

// In this thread: each of the four of the pool would keep its 16 MiB. Between two hashes the process reads and answers.
async function hashOf(value: unknown, salt: string): Promise<string> {
  const hash = await oneByOne(async () => {
    await nextTurn();
    return scryptSync(canonicalJson(value), salt, HASH_BYTES);
  });
  return hash.toString("base64");
}

function namesText(names: string | undefined): string {
  if (names === undefined) return "those of the deployment";
  return names === "" ? "none" : names;
}
