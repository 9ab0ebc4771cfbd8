import { readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import type { SourceFault } from "../entry/errors.ts";
import { slashed } from "../entry/place.ts";
import type { Rule } from "./rule.ts";
import { ANY_CHAR, Wildcards, type WildcardStep } from "../../files/wildcards.ts";

const ADVICE = "Correct the line: a build rejects it.";

/** One line of a .dockerignore; paths are relative to its directory, with forward slashes. */
interface DockerPattern {
  readonly rule: Rule;
  /** True for `!line`: what it matches stays, although an earlier line leaves it out. */
  readonly exception: boolean;
  readonly text: string;
  matches(path: string): boolean;
}

/** The `.dockerignore` of a directory; undefined if it has none. `root` is the archive's. */
export function readDockerignore(directory: string, root: string): Dockerignore | undefined {
  const file = join(directory, ".dockerignore");
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  return new Dockerignore(readFileSync(file, "utf8"), slashed(root, file));
}

/** A `.dockerignore` as the builder reads it (moby/patternmatcher): anchored, and a directory's match covers all below. */
export class Dockerignore {
  /** The lines that are not a pattern; a build rejects such a file, so nothing sensible follows from them. */
  readonly faults: readonly SourceFault[];
  readonly text: string;
  readonly #patterns: readonly DockerPattern[];

  constructor(text: string, source: string) {
    const faults: SourceFault[] = [];
    this.text = text;
    this.#patterns = text
      .replace(/^\uFEFF/, "")
      .split("\n")
      .flatMap((line, index) => {
        // A comment begins in the first column, before spaces are trimmed.
        const body = line.startsWith("#") ? "" : line.trim();
        if (body === "") return [];
        const label = `${source} line ${String(index + 1)} (${body})`;
        const pattern = parsePattern(body, { reason: "rule", name: source, label });
        if (!pattern) faults.push({ message: `${label} is not a valid pattern`, advice: ADVICE });
        return pattern ?? [];
      });
    this.faults = faults;
  }

  /** The rule that leaves `path` out; undefined when it stays. */
  leavesOut(path: string): Rule | undefined {
    const names = path.split("/");
    const parents = names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
    return this.#patterns.reduce<Rule | undefined>((rule, pattern) => {
      if (pattern.exception !== (rule !== undefined)) return rule;
      const hit = pattern.matches(path) || parents.some((parent) => pattern.matches(parent));
      if (!hit) return rule;
      return pattern.exception ? undefined : pattern.rule;
    }, undefined);
  }

  /** True when an exception may bring something back from below a directory that is left out. */
  mayKeepBelow(folder: string): boolean {
    return this.#patterns.some(({ exception, text }) => {
      if (!exception) return false;
      const literal = /^[^*?[\\]*/.exec(text)?.[0] ?? "";
      return literal.startsWith(`${folder}/`) || `${folder}/`.startsWith(literal);
    });
  }
}

function parsePattern(line: string, rule: Rule): DockerPattern | undefined {
  const exception = line.startsWith("!");
  const body = exception ? line.slice(1).trim() : line;
  if (body === "") return undefined;
  const text = posix
    .normalize(body)
    .replace(/^\/(?=.)/, "")
    .replace(/(?<=.)\/$/, "");
  const matches = compile(text);
  return matches && { rule, exception, text, matches };
}

/** The four kinds of match that the builder knows, with their quirks: `**name` is "ends with name", in any directory. */
function compile(text: string): DockerPattern["matches"] | undefined {
  const inner = text.replace(/^\*\*|\*\*$/, "");
  if (!/[*?[\]\\]/.test(inner)) {
    if (text.startsWith("**")) return (path) => path.endsWith(inner) || `/${path}` === inner;
    if (text.endsWith("**")) return (path) => path.startsWith(inner);
    return (path) => path === text;
  }
  const steps: WildcardStep[] = [];
  for (const { 0: token, index, groups = {} } of text.matchAll(TOKEN)) {
    const { members, negated } = groups;
    const isLast = index + token.length === text.length;
    // The builder's regular expression takes it for the start of the path, where it already is.
    if (token === "^" && index === 0) continue;
    // A class that does not end, or a backslash before nothing.
    if (token === "[" || token === "\\") return undefined;
    if (members !== undefined) {
      const step = classOf(members, negated !== "");
      if (!step) return undefined;
      steps.push(step);
    } else if (token === "*") steps.push({ kind: "run", crosses: false });
    else if (token.startsWith("**")) steps.push(isLast ? { kind: "run", crosses: true } : { kind: "folders" });
    else if (token === "?") steps.push(ANY_CHAR);
    else if (token === "^") steps.push({ kind: "one", holds: () => false });
    else steps.push({ kind: "char", code: codeOf(token) });
  }
  const wildcards = new Wildcards(steps);
  return (path) => wildcards.matches(path);
}

const TOKEN = /\*\*\/?|\[(?!\^\])(?<negated>\^?)(?<members>(?:\\[^]|[^\\\]])+)\]|\\?[^]/gu;
const MEMBER = /(?<from>\\?[^])(?:-(?<to>\\?[^]))?/gu;

function classOf(members: string, isNegated: boolean): WildcardStep | undefined {
  const ranges: (readonly [from: number, to: number])[] = [];
  for (const { groups } of members.matchAll(MEMBER)) {
    const { from = "", to = from } = groups ?? {};
    // The builder writes an expression of its own in place of a wildcard in a class.
    if ([from, to].some((end) => ["*", "?", "-", "\\"].includes(end)) || codeOf(from) > codeOf(to)) return undefined;
    ranges.push([codeOf(from), codeOf(to)]);
  }
  return { kind: "one", holds: (code) => ranges.some(([from, to]) => code >= from && code <= to) !== isNegated };
}

function codeOf(token: string): number {
  return token.codePointAt(token.startsWith("\\") && token.length > 1 ? 1 : 0) ?? 0;
}
