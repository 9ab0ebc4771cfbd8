import { randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { canonicalJson } from "../text/canonical-json.ts";
import type { DeployRequest, SmokeRun } from "./request.ts";

/** What a deploy was told, so that another one can be compared with it and nobody can read it. */
export interface Fingerprint {
  /** Base64. */
  readonly salt: string;
  /** The names of the secrets, in order; null when the secrets were left alone. */
  readonly secret_names: readonly string[] | null;
  /** One hash of all secrets and of the settings of the source, base64. */
  readonly hash: string;
}

const SALT_BYTES = 16;
const HASH_BYTES = 32;

const slowHash = promisify<string, string, number, Buffer>(scrypt);

/**
 * The fingerprint of a request, with a salt of its own unless one is given. The record lies in a cache that others can
 * read, and some secrets are short: the hash is slow (Node's default cost, 16 MiB and about 30 ms), and it is one for
 * all, so that each value is as hard to guess as all of them together. A command in the settings may hold a token too.
 */
export async function fingerprintOf(
  { sourceConfig, secrets }: Pick<DeployRequest, "secrets" | "sourceConfig">,
  salt = randomBytes(SALT_BYTES).toString("base64"),
): Promise<Fingerprint> {
  const values = secrets === undefined ? null : Object.fromEntries(secrets.map(({ name, value }) => [name, value]));
  const names = values === null ? null : Object.keys(values).sort();
  return { salt, secret_names: names, hash: await hashOf({ sourceConfig, values }, salt) };
}

/** Stands for a smoke run, in which a secret may be too: so it is as slow and as salted as a fingerprint. Base64. */
export async function smokeRunHash({ graph, input, expect }: SmokeRun, { salt }: Fingerprint): Promise<string> {
  return await hashOf({ graph, input, expect }, salt);
}

async function hashOf(value: unknown, salt: string): Promise<string> {
  return (await slowHash(canonicalJson(value), salt, HASH_BYTES)).toString("base64");
}

/** What differs between two fingerprints of one salt, as the beginning of "… since then"; undefined for nothing. */
export function difference(before: Fingerprint, now: Fingerprint): string | undefined {
  const [old, current] = [before.secret_names, now.secret_names].map((names) => names?.join(", "));
  if (old !== current) return `the secrets changed from ${namesText(old)} to ${namesText(current)}`;
  return before.hash === now.hash ? undefined : "a secret or a setting of the source changed";
}

function namesText(names: string | undefined): string {
  if (names === undefined) return "left as they are";
  return names === "" ? "none" : names;
}
