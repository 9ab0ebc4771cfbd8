import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { projectRoot } from "../command.ts";

/** Stands for the owner of the repository, here and in all pages, until the owner is known. */
export const PLACEHOLDER = "OWNER";

/** The parts of package.json that a release depends on. */
export const Manifest = z.looseObject({
  version: z.string(),
  repository: z.looseObject({
    url: z.string().regex(/^git\+https:\/\/github\.com\/[\w-]+\/graph-deploy\.git$/, "is not this project on GitHub"),
  }),
});

/** `OWNER/NAME` of the repository on GitHub: package.json is the place that names it. */
export function repositoryName(): string {
  const { repository } = Manifest.parse(JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")));
  return repository.url.slice("git+https://github.com/".length, -".git".length);
}

/** A text with the owner in place of the placeholder, and without the note that explains the placeholder. */
export function filledIn(text: string, owner: string): string {
  return text
    .replace(/<!-- placeholder -->\n[^]*?<!-- end -->\n\n/, "")
    .replaceAll(new RegExp(`\\b${PLACEHOLDER}(?=/graph-deploy\\b|/\\*)|(?<=@)${PLACEHOLDER}\\b`, "g"), owner);
}

/** The files of the repository that are written by hand, as paths below the project. */
export function sourceFiles(): readonly string[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--", ".", ":!action/dist"], { cwd: projectRoot });
  return listed.toString("utf8").split("\0").slice(0, -1);
}
