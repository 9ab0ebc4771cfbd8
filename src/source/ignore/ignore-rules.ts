import { toByteString, fromByteString, pathOf, type Folder, type Place } from "../entry/place.ts";
import type { Dockerignore } from "./dockerignore.ts";
import { lastMatch, parseGitignore, type IgnorePattern } from "./gitignore.ts";
import type { Rule } from "./rule.ts";
import { isIgnoreFile, ruleOfFiles, type Scope } from "./scope.ts";
import { envFileRule, isSettingsFile, secretRule } from "./secrets.ts";

/** The rules that hold for the whole tree; those of .gitignore and the like come with the directories. */
export interface IgnoreInputs {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly dockerignore: Dockerignore | undefined;
  /** The env file that the configuration names, from the archive's root. */
  readonly envFile: string | undefined;
  /** The file that the deploy itself writes, from the archive's root. */
  readonly ownFile: string | undefined;
}

/** What becomes of an entry, and why. */
export type Verdict =
  | { readonly state: "packed" }
  /** `include` names it, or a directory above it; `secret` is the rule that would have kept it home. */
  | { readonly state: "included"; readonly secret: Rule | undefined }
  /** `below` is set for a directory of which something may be packed all the same. */
  | { readonly state: "left-out"; readonly rule: Rule; readonly below: Below | undefined };

/** How the entries of a directory that is left out are judged. */
export interface Below {
  /** What leaves the entries out by itself; undefined when each is asked about on its own. */
  readonly inherited: Rule | undefined;
}

/**
 * Decides by all rules together. `include` wins over everything but `.git`; then secrets and built-in rules, which no
 * ignore file can take back; then ignore files, `exclude` and .dockerignore, of which any one leaves out.
 */
export class IgnoreRules {
  readonly #include: readonly IgnorePattern[];
  readonly #exclude: readonly IgnorePattern[];
  readonly #dockerignore: Dockerignore | undefined;
  readonly #envFile: string | undefined;
  readonly #ownFile: string | undefined;

  constructor({ include, exclude, dockerignore, envFile, ownFile }: IgnoreInputs) {
    this.#include = parseGitignore(toByteString(include.join("\n")), "include");
    this.#exclude = parseGitignore(toByteString(exclude.join("\n")), "exclude");
    this.#dockerignore = dockerignore;
    this.#envFile = envFile;
    this.#ownFile = ownFile;
  }

  decide(scope: Scope, place: Place): Verdict {
    // Its configuration may hold a token, and its objects hold everything that ever was in the tree.
    if (place.name === ".git") return { state: "left-out", rule: REPOSITORY_RULE, below: undefined };
    // Packed, it would make every source a new one.
    if (this.#ownFile !== undefined && pathOf(place) === this.#ownFile) return OWN_FILE;
    const secret = this.#secretRule(place);
    if (scope.included || lastOf(this.#include, place)?.negative === false) return { state: "included", secret };
    const rule = scope.inherited ?? secret ?? this.#ruleOf(scope, place);
    if (!rule) return this.#decideByDockerignore(place);
    const below =
      place.kind === "folder" && this.mayIncludeBelow(prefixOf(place), rule) ? { inherited: rule } : undefined;
    return { state: "left-out", rule, below };
  }

  /**
   * True when a line of `include` may name something below a directory that `rule` leaves out; the directory is a byte
   * string from the project, with a slash at its end. A bare name is not looked for inside node_modules and the like,
   * where it would find thousands: such a line names the directory, or begins with two stars.
   */
  mayIncludeBelow(folder: string, rule: Rule): boolean {
    return this.#include.some(({ negative, prefix }) => {
      if (negative) return false;
      return prefix === undefined ? rule.reason === "rule" : prefix.startsWith(folder) || folder.startsWith(prefix);
    });
  }

  #secretRule(place: Place): Rule | undefined {
    if (this.#envFile !== undefined && pathOf(place) === this.#envFile) return envFileRule(this.#envFile);
    return secretRule(place);
  }

  #ruleOf(scope: Scope, place: Place): Rule | undefined {
    // What is left out although no file says so. A linked node_modules is as unwanted as a real one.
    const { name, kind } = place;
    const isBuiltIn = (kind === "folder" || kind === "link" ? BUILT_IN_FOLDERS : BUILT_IN_FILES).has(name);
    if (isBuiltIn) return { reason: "built-in", name, label: `the built-in rule ${name}` };
    const excluded = lastOf(this.#exclude, place);
    return excluded?.negative === false ? excluded.rule : ruleOfFiles(scope, place);
  }

  #decideByDockerignore(place: Place): Verdict {
    if (!this.#dockerignore) return PACKED;
    const path = fromByteString(place.folder.fromProject + place.bytes);
    const rule = path.startsWith("../") ? undefined : this.#dockerignore.leavesOut(path);
    if (!rule) return PACKED;
    if (place.kind !== "folder") return { state: "left-out", rule, below: undefined };
    // Its `!` lines reach into directories that it leaves out, so each entry below is asked about.
    const asksBelow = this.#dockerignore.mayKeepBelow(path) || this.mayIncludeBelow(prefixOf(place), rule);
    return { state: "left-out", rule, below: asksBelow ? { inherited: undefined } : undefined };
  }
}

/** True for the name of a file whose content has a say in what is left out, itself or others. */
export function hasSay(name: string): boolean {
  return isIgnoreFile(name) || isSettingsFile(name);
}

/** The scope that holds below a directory of this verdict; undefined when nothing below it can be packed. */
export function scopeBelow(scope: Scope, verdict: Verdict): Scope | undefined {
  switch (verdict.state) {
    case "included":
      return { ...scope, included: true, inherited: undefined };
    case "left-out":
      return verdict.below && { ...scope, inherited: verdict.below.inherited };
    case "packed":
      return scope;
  }
}

/** The scope inside a directory, once it is known whether it is a virtual environment. */
export function scopeInside(scope: Scope, folder: Folder, holdsConfig: boolean): Scope {
  if (scope.included || scope.inherited) return scope;
  if (!holdsConfig) return { ...scope, inherited: undefined };
  // A directory that holds `pyvenv.cfg` is a virtual environment, whatever its name: PEP 405.
  const name = folder.prefix.split("/").at(-2) ?? "";
  const label = "the built-in rule for virtual environments (pyvenv.cfg)";
  return { ...scope, inherited: { reason: "built-in", name, label } };
}

/** A repository is never packed, so that a message about it needs no more than this. */
const REPOSITORY_RULE: Rule = { reason: "built-in", name: ".git", label: "the built-in rule .git" };

const PACKED: Verdict = { state: "packed" };

const OWN_FILE: Verdict = {
  state: "left-out",
  rule: { reason: "built-in", name: "the deploy record", label: "the built-in rule for the deploy record" },
  below: undefined,
};

function prefixOf({ folder, bytes }: Place): string {
  return `${folder.fromProject}${bytes}/`;
}

function lastOf(patterns: readonly IgnorePattern[], { folder, bytes, kind }: Place): IgnorePattern | undefined {
  if (patterns.length === 0) return undefined;
  return lastMatch(patterns, folder.fromProject + bytes, bytes, kind === "folder");
}

/** Directories that a deployment never needs: what tools install, build, cache or keep of their runs. */
export const BUILT_IN_FOLDERS: ReadonlySet<string> = new Set([
  ".graph-deploy",
  ".graph_api",
  ".hg",
  ".ipynb_checkpoints",
  ".langgraph_api",
  ".mypy_cache",
  ".nox",
  ".pytest_cache",
  ".ruff_cache",
  ".svn",
  ".tox",
  ".venv",
  "__pycache__",
  "node_modules",
  "venv",
]);

export const BUILT_IN_FILES: ReadonlySet<string> = new Set([".DS_Store", "Thumbs.db"]);
