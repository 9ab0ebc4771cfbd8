import { absoluteOf, type Place } from "../entry/place.ts";
import type { Rule } from "./rule.ts";
import { closeSync, openSync, readSync } from "node:fs";
import { OPEN_FLAGS } from "../entry/open-entry.ts";

/** Names of files that hold credentials, in lower case. A user who needs one in the archive names it in `include`. */
const FILES = [
  // Environments of programs
  ".env",
  ".env.*",
  ".envrc",
  "*.env",
  // Private keys and key stores
  "*.jks",
  "*.kdbx",
  "*.key",
  "*.keystore",
  "*.p12",
  "*.pem",
  "*.pfx",
  "*.ppk",
  "id_dsa",
  "id_ecdsa",
  "id_ecdsa_sk",
  "id_ed25519",
  "id_ed25519_sk",
  "id_rsa",
  // Cloud accounts; google-github-actions/auth writes the first into the workspace
  "gha-creds-*.json",
  "*service-account*.json",
  "*service_account*.json",
  "application_default_credentials.json",
  "client_secret*.json",
  "credentials.json",
  "kubeconfig",
  // Logins that tools keep
  ".dockercfg",
  ".dockerconfigjson",
  ".git-credentials",
  ".htpasswd",
  ".netrc",
  "_netrc",
  ".pgpass",
  ".pypirc",
  ".vault-token",
  // Values that a state or an app keeps in the clear
  "*.tfstate",
  "*.tfstate.*",
  "secrets.toml",
] as const;

/** Directories of credentials, and directories of env files. */
const FOLDERS = [".aws", ".azure", ".env", ".envs", ".gnupg", ".kube", ".ssh"] as const;

/** Settings of package managers: secret only when a token stands in them, not a reference to one. */
const SETTINGS: ReadonlyMap<string, RegExp> = new Map([
  [".npmrc", /(?:_authToken|_auth|_password)[ \t]*=[ \t]*["']?(?!\$\{)[^\s"']/],
  [".yarnrc.yml", /npmAuth(?:Token|Ident)[ \t]*:[ \t]*["']?(?!\$\{)[^\s"']/],
]);

// Shared as documentation of what an env file holds.
const SHAREABLE = /^(?:\.env(?:\..+)?\.)?(?:example|sample|template)(?:\.env)?$/;

/** True for the name of a file that is a secret by what it holds. */
export function isSettingsFile(name: string): boolean {
  return SETTINGS.has(name.toLowerCase());
}

/** The rule for secrets that a place falls under, by its name or by what it holds. */
export function secretRule(place: Place): Rule | undefined {
  const lower = place.name.toLowerCase();
  if (place.kind === "folder") return findMatcher(FOLDER_MATCHERS, lower)?.rule;
  const setting = SETTINGS.get(lower);
  if (setting !== undefined) {
    return setting.test(readStart(absoluteOf(place))) ? ruleFor(lower, `${lower} with a token`) : undefined;
  }
  if (!ANY_FILE.test(lower) || SHAREABLE.test(lower)) return undefined;
  return findMatcher(FILE_MATCHERS, lower)?.rule;
}

/** The rule for the env file that the configuration file names: its values go as secrets, never in the archive. */
export function envFileRule(path: string): Rule {
  return { reason: "secret", name: path, label: "the rule for secrets (the env file that the configuration names)" };
}

interface Matcher {
  readonly expression: RegExp;
  readonly rule: Rule;
}

const FILE_MATCHERS = FILES.map(matcherFor);
const FOLDER_MATCHERS = FOLDERS.map(matcherFor);
// One test for the many names that match none.
const ANY_FILE = new RegExp(FILE_MATCHERS.map(({ expression }) => expression.source).join("|"), "s");

function matcherFor(glob: string): Matcher {
  // Of the names above, so that a star is all that has a meaning.
  const pattern = glob.replaceAll(".", "\\.").replaceAll("*", ".*");
  // A star at the start is left out, not matched: a name that matches none takes a third of the time.
  const expression = new RegExp(`^${pattern}$`.replace("^.*", ""), "s");
  return { expression, rule: ruleFor(glob, glob) };
}

function ruleFor(name: string, what: string): Rule {
  return { reason: "secret", name, label: `the rule for secrets (${what})` };
}

function findMatcher(matchers: readonly Matcher[], name: string): Matcher | undefined {
  return matchers.find(({ expression }) => expression.test(name));
}

const START_BYTES = 64 * 1024;

/** The first 64 KiB of a regular file as text; empty when it cannot be read, which packing it will say. */
function readStart(file: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, OPEN_FLAGS);
    const buffer = Buffer.alloc(START_BYTES);
    return buffer.toString("utf8", 0, readSync(descriptor, buffer));
  } catch {
    return "";
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
