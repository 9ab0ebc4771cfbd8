import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isInside } from "../../src/files/inside.ts";
import { readShort } from "../../src/files/read-short.ts";
import { gitDirectory } from "../../src/source/tree/repository.ts";

const COMMIT = /^[0-9a-f]{40,64}$/;
const MOST_REF_BYTES = 4_096;
const MOST_CONFIG_BYTES = 65_536;
const MOST_PACKED_BYTES = 4 * 1024 * 1024;

/**
 * The commit of a repository, such as `owner/name`, that is checked out at a directory of the workspace, in hex digits;
 * undefined where there is none, as in a submodule and in the checkout of another repository. Git itself is not asked: a
 * workflow may have none.
 */
export function checkedOutCommit(directory: string, workspace: string, name = ""): string | undefined {
  let repository = resolve(workspace, directory);
  while (!existsSync(join(repository, ".git"))) {
    const above = dirname(repository);
    if (above === repository || !isInside(workspace, above)) return undefined;
    repository = above;
  }
  try {
    const git = gitDirectory(join(repository, ".git"));
    // A worktree has its refs and its configuration in the directory of its repository.
    const common = resolve(git, readShort(join(git, "commondir"), MOST_REF_BYTES)?.trim() ?? ".");
    const isFirst = resolve(common, "..") === resolve(workspace);
    const urls = urlsIn(join(common, "config"), /^[ \t]*url[ \t]*=[ \t]*(\S+)/gm);
    // Of a clone without a remote, the addresses of its last fetch.
    const remotes = urls.length > 0 ? urls : urlsIn(join(git, "FETCH_HEAD"), /[\t ](\S+)$/gm);
    if (!isOf(name, remotes, { isFirst })) return undefined;
    const head = readShort(join(git, "HEAD"), MOST_REF_BYTES)?.trim() ?? "";
    const [, ref] = /^ref: (refs\/[^\s]{1,500})$/.exec(head) ?? [];
    if (ref === undefined) return commitIn(head);
    if (ref.split("/").includes("..")) return undefined;
    const own = commitIn(readShort(join(common, ref), MOST_REF_BYTES)?.trim());
    if (own !== undefined) return own;
    const packed = (readShort(join(common, "packed-refs"), MOST_PACKED_BYTES) ?? "").split("\n");
    return commitIn(packed.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0]);
  } catch {
    return undefined;
  }
}

/** True where a clone says that it is of this repository. The first one may say nothing, or be of a fork or a mirror. */
function isOf(name: string, remotes: readonly string[], { isFirst }: { readonly isFirst: boolean }): boolean {
  if (name === "") return isFirst;
  if (isFirst && remotes.length === 0) return true;
  const parts = name
    .toLowerCase()
    .split("/")
    .slice(isFirst ? -1 : 0);
  return remotes.some((url) => {
    const named = url.replace(/(?:\.git)?\/?$/, "").split(/[/:]/);
    return parts.join("/") === named.slice(-parts.length).join("/");
  });
}

function urlsIn(path: string, pattern: RegExp): readonly string[] {
  const text = readShort(path, MOST_CONFIG_BYTES) ?? "";
  return Array.from(text.matchAll(pattern), ([, url = ""]) => url.toLowerCase());
}

function commitIn(text: string | undefined): string | undefined {
  return text !== undefined && COMMIT.test(text) ? text : undefined;
}
