import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** Where the source is: what is generated, tested or measured with is not. */
export const SOURCE_DIRECTORIES: readonly string[] = ["src", "front", "action", "pulumi-provider"];

/** A file of TypeScript, by its path from the root. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** The files that git knows below these directories of a checkout. */
export function trackedFiles(root: string, directories: readonly string[] = ["."]): readonly string[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--", ...directories], { cwd: root, encoding: "utf8" });
  return listed.split("\0").filter((path) => path !== "");
}

/** True for a file that says at its beginning what writes it. */
export function isGenerated(text: string): boolean {
  return /^(?:#|\/\/|\/\*\*?).*\b(?:[Gg]enerated|[Ww]rites this file)\b/m.test(text.slice(0, 500));
}

/** The TypeScript of a checkout that is shipped, and written by hand. */
export function readSources(root: string): readonly Source[] {
  return trackedFiles(root, SOURCE_DIRECTORIES)
    .filter((path) => path.endsWith(".ts"))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
    .filter(({ text }) => !isGenerated(text));
}

export function lineCount({ text }: Source): number {
  return text.split("\n").length - 1;
}

export function parsed({ path, text }: Source): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

/** Calls `visit` for each node below this one, the outer first. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  ts.forEachChild(node, (child) => {
    visit(child);
    walk(child, visit);
  });
}
