import { toByteString, fromByteString, pathOf, type Folder, type Place } from "../entry/place.ts";
import type { Dockerignore } from "./dockerignore.ts";
import { parseGitignore, type IgnorePattern } from "./gitignore.ts";
import type { Rule } from "./rule.ts";
import { IGNORE_FILES, ruleOfFiles, type Scope } from "./scope.ts";
import { envFileRule, secretRule, SETTINGS } from "./secrets.ts";

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

/** What becomes of an entry. */
export interface Verdict {
  /** What leaves it out; undefined for one that is packed. */
  readonly leftOutBy?: Rule;
  /** What would have kept it home, had `include` not named it, or a directory above it. */
  readonly secret?: Rule | undefined;
  /** What holds below a directory; undefined when nothing there can be packed. */
  readonly below?: Scope | undefined;
}

/**
 * Decides by all rules together. `include` wins over everything but `.git`; then secrets and built-in rules, which no
 * ignore file can take back; then ignore files, `exclude` and .dockerignore, of which any one leaves out.
 */
export class IgnoreRules {
  readonly #include: readonly IgnorePattern[];
  readonly #exclude: readonly IgnorePattern[];
  readonly #inputs: IgnoreInputs;

  constructor(inputs: IgnoreInputs) {
    this.#include = parseGitignore(toByteString(inputs.include.join("\n")), "include");
    this.#exclude = parseGitignore(toByteString(inputs.exclude.join("\n")), "exclude");
    this.#inputs = inputs;
  }

  decide(scope: Scope, place: Place): Verdict {
    const { dockerignore, envFile, ownFile } = this.#inputs;
    // Its configuration may hold a token, and its objects hold everything that ever was in the tree.
    if (place.name === ".git") return { leftOutBy: REPOSITORY_RULE };
    // Packed, it would make every source a new one.
    if (ownFile !== undefined && pathOf(place) === ownFile) return { leftOutBy: OWN_FILE_RULE };
    const isEnvFile = envFile !== undefined && pathOf(place) === envFile;
    const secret = isEnvFile ? envFileRule(envFile) : secretRule(place);
    if (scope.included || lastOf(this.#include, place)?.negative === false) {
      return { secret, below: { ...scope, included: true, inherited: undefined } };
    }
    const isFolder = place.kind === "folder";
    const rule = scope.inherited ?? secret ?? this.#ruleOf(scope, place);
    if (rule) {
      const asksBelow = isFolder && this.mayIncludeBelow(prefixOf(place), rule);
      return { leftOutBy: rule, below: asksBelow ? { ...scope, inherited: rule } : undefined };
    }
    if (!dockerignore) return { below: scope };
    const path = fromByteString(place.folder.fromProject + place.bytes);
    const leftOutBy = path.startsWith("../") ? undefined : dockerignore.leavesOut(path);
    if (!leftOutBy) return { below: scope };
    // Its `!` lines reach into directories that it leaves out, so each entry below is asked about.
    const asksBelow = isFolder && (dockerignore.mayKeepBelow(path) || this.mayIncludeBelow(prefixOf(place), leftOutBy));
    return { leftOutBy, below: asksBelow ? { ...scope, inherited: undefined } : undefined };
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

  #ruleOf(scope: Scope, place: Place): Rule | undefined {
    // What is left out although no file says so. A linked node_modules is as unwanted as a real one.
    const { name, kind } = place;
    const isBuiltIn = (kind === "folder" || kind === "link" ? BUILT_IN_FOLDERS : BUILT_IN_FILES).has(name);
    if (isBuiltIn) return { reason: "built-in", name, label: `the built-in rule ${name}` };
    const excluded = lastOf(this.#exclude, place);
    return excluded?.negative === false ? excluded.rule : ruleOfFiles(scope, place);
  }
}

/** True for the name of a file whose content has a say in what is left out, itself or others. */
export function hasSay(name: string): boolean {
  return IGNORE_FILES.has(name) || SETTINGS.has(name.toLowerCase());
}

/** The scope inside a directory, once it is known whether it is a virtual environment. */
export function scopeInside(scope: Scope, folder: Folder, holdsConfig: boolean): Scope {
  if (scope.included || scope.inherited || !holdsConfig) return scope;
  // A directory that holds `pyvenv.cfg` is a virtual environment, whatever its name: PEP 405.
  const name = folder.prefix.split("/").at(-2) ?? "";
  const label = "the built-in rule for virtual environments (pyvenv.cfg)";
  return { ...scope, inherited: { reason: "built-in", name, label } };
}

/** A repository is never packed, so that a message about it needs no more than this. */
const REPOSITORY_RULE: Rule = { reason: "built-in", name: ".git", label: "the built-in rule .git" };

const OWN_FILE_RULE: Rule = {
  reason: "built-in",
  name: "the deploy record",
  label: "the built-in rule for the deploy record",
};

function prefixOf({ folder, bytes }: Place): string {
  return `${folder.fromProject}${bytes}/`;
}

function lastOf(patterns: readonly IgnorePattern[], { folder, bytes, kind }: Place): IgnorePattern | undefined {
  if (patterns.length === 0) return undefined;
  const path = folder.fromProject + bytes;
  return patterns.findLast((pattern) => pattern.matches(path, bytes, kind === "folder"));
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
