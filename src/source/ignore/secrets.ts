import { absoluteOf, type Place } from "../entry/place.ts";
import type { Rule } from "./rule.ts";
import { closeSync, openSync, readSync } from "node:fs";
import { OPEN_FLAGS } from "../entry/open-entry.ts";

/**
 * Names of files that hold credentials, in lower case; one with a slash is a file of that directory. A user who needs one
 * in the archive names it in `include`.
 */
export const SECRET_FILES = {
  "environments of programs": [".dev.vars", ".dev.vars.*", ".env", ".env.*", ".envrc", "*.env", "local.settings.json"],
  "private keys and key stores": [
    "*.jks",
    "*.kdbx",
    "*.key",
    "*.keystore",
    "*.p12",
    "*.pem",
    "*.pfx",
    "*.ppk",
    "authkey_*.p8",
    "id_dsa",
    "id_ecdsa",
    "id_ecdsa_sk",
    "id_ed25519",
    "id_ed25519_sk",
    "id_rsa",
  ],
  // google-github-actions/auth writes the first into the workspace
  "cloud accounts": [
    "gha-creds-*.json",
    "*service-account*.json",
    "*service_account*.json",
    ".boto",
    ".databrickscfg",
    ".s3cfg",
    "application_default_credentials.json",
    "client_secret*.json",
    "credentials.json",
    "kubeconfig",
  ],
  "logins that tools keep": [
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".docker/config.json",
    ".dockercfg",
    ".dockerconfigjson",
    ".git-credentials",
    ".htpasswd",
    ".netrc",
    "_netrc",
    ".pgpass",
    ".pypirc",
    ".vault-token",
  ],
  "values that a state or an app keeps in the clear": [
    "*.tfstate",
    "*.tfstate.*",
    "*.tfvars",
    "*.tfvars.json",
    "secrets.json",
    "secrets.toml",
    "secrets.yaml",
    "secrets.yml",
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Directories of credentials, and directories of env files. */
export const SECRET_FOLDERS = [".aws", ".azure", ".env", ".envs", ".gnupg", ".kube", ".ssh"] as const;

/** Settings of package managers: secret only when a token stands in them, not a reference to one. */
export const SETTINGS: ReadonlyMap<string, RegExp> = new Map([
  [".npmrc", /(?:_authToken|_auth|_password)[ \t]*=[ \t]*["']?(?!\$\{)[^\s"']/],
  [".yarnrc.yml", /npmAuth(?:Token|Ident)[ \t]*:[ \t]*["']?(?!\$\{)[^\s"']/],
]);

// Shared as documentation of what an env file holds.
const SHAREABLE = /^(?:\.(?:env|dev\.vars)(?:\..+)?\.)?(?:example|sample|template)(?:\.env)?$/;

/** The rule for secrets that a place falls under, by its name or by what it holds. */
export function secretRule(place: Place): Rule | undefined {
  const lower = place.name.toLowerCase();
  if (place.kind === "folder") return FOLDER_MATCHERS.find(({ expression }) => expression.test(lower))?.rule;
  const setting = SETTINGS.get(lower);
  if (setting) {
    return setting.test(readStart(absoluteOf(place))) ? ruleFor(lower, `${lower} with a token`) : undefined;
  }
  if (!ANY_FILE.test(lower) || SHAREABLE.test(lower)) return undefined;
  const above = `/${place.folder.prefix.toLowerCase()}`;
  return FILE_MATCHERS.find(({ expression, folder }) => expression.test(lower) && above.endsWith(folder))?.rule;
}

/** The rule for the env file that the configuration file names: its values go as secrets, never in the archive. */
export function envFileRule(path: string): Rule {
  return { reason: "secret", name: path, label: "the rule for secrets (the env file that the configuration names)" };
}

const FILE_MATCHERS = Object.values(SECRET_FILES).flatMap((globs) => globs.map(matcherFor));
const FOLDER_MATCHERS = SECRET_FOLDERS.map(matcherFor);
// One test for the many names that match none.
const ANY_FILE = new RegExp(FILE_MATCHERS.map(({ expression }) => expression.source).join("|"), "s");

/** `folder` is how the path of the directory ends, such as `/.docker/`; empty for any. */
function matcherFor(glob: string) {
  const [name = "", folder] = glob.split("/").reverse();
  // Of the names above, so that a star is all that has a meaning.
  const pattern = name.replaceAll(".", "\\.").replaceAll("*", ".*");
  // A star at the start is left out, not matched: a name that matches none takes a third of the time.
  const expression = new RegExp(`^${pattern}$`.replace("^.*", ""), "s");
  return { expression, folder: folder === undefined ? "" : `/${folder}/`, rule: ruleFor(glob, glob) };
}

function ruleFor(name: string, what: string): Rule {
  return { reason: "secret", name, label: `the rule for secrets (${what})` };
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
