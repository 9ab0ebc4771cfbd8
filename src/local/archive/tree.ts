import { posix } from "node:path";

/** What an archive holds under one path. */
type ArchiveNode =
  | { readonly kind: "file" }
  | { readonly kind: "directory" }
  /** The target as it is written, relative to the folder `from`. */
  | { readonly kind: "link"; readonly from: string; readonly target: string };

/** An entry as its header describes it. */
export interface ArchiveEntry {
  readonly path: string;
  /** As the `tar` package names the types. */
  readonly type: string;
  readonly linkpath?: string | undefined;
}

// Linux gives up after 40 links as well.
const LINK_LIMIT = 40;
const PATH_LIMIT = 4096;
// Of one name, in bytes: NAME_MAX of the file systems that agents run on.
const NAME_LIMIT = 255;
const DEPTH_LIMIT = 200;

/**
 * The names in an archive, without a file system: nothing that a hostile archive says can reach the disk. Each way
 * to leave the tree is a reason to refuse it whole.
 */
export class ArchiveTree {
  readonly #nodes = new Map<string, ArchiveNode>([["", { kind: "directory" }]]);

  /** Adds an entry, and answers why the archive must be refused; undefined when all is well. */
  add({ path, type, linkpath = "" }: ArchiveEntry): string | undefined {
    const name = JSON.stringify(path.slice(0, 200));
    const inside = insideOf(path);
    if (inside === undefined) return `${name} leads out of the archive`;
    if (inside.split("/").some((step) => Buffer.byteLength(step) > NAME_LIMIT)) {
      return `${name} has a name of more than ${String(NAME_LIMIT)} bytes`;
    }
    const parents = parentsOf(inside);
    if (parents.length > DEPTH_LIMIT) return `${name} lies more than ${String(DEPTH_LIMIT)} folders deep`;
    const broken = parents.find((parent) => (this.#nodes.get(parent)?.kind ?? "directory") !== "directory");
    if (broken !== undefined) return `${name} lies below ${JSON.stringify(broken)}, which is no folder`;
    const node = this.#nodeOf(inside, type, linkpath);
    if (typeof node === "string") return `${name} ${node}`;
    const before = this.#nodes.get(inside);
    if (before !== undefined && before.kind !== node.kind) return `${name} is there twice, as different things`;
    for (const parent of parents) this.#nodes.set(parent, { kind: "directory" });
    this.#nodes.set(inside, node);
    return undefined;
  }

  /** How many names it holds; the folders that no entry names are among them. */
  get size(): number {
    return this.#nodes.size;
  }

  /** How many files there are. */
  get files(): number {
    return [...this.#nodes.values()].filter((node) => node.kind === "file").length;
  }

  /** Where a path leads, links followed step by step as a file system does; undefined when it leads nowhere. */
  resolve(path: string): { readonly kind: "file" | "directory"; readonly path: string } | undefined {
    if (isAbsolute(path)) return undefined;
    const steps = stepsOf(path);
    let at: readonly string[] = [];
    let links = 0;
    for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
      if (step === ".") continue;
      if (step === ".." && at.length === 0) return undefined;
      at = step === ".." ? at.slice(0, -1) : [...at, step];
      const node = this.#nodes.get(at.join("/"));
      if (node === undefined || (node.kind === "file" && steps.length > 0)) return undefined;
      if (node.kind !== "link") continue;
      links += 1;
      if (links > LINK_LIMIT) return undefined;
      at = stepsOf(node.from);
      steps.unshift(...stepsOf(node.target));
    }
    const place = at.join("/");
    const node = this.#nodes.get(place);
    return node === undefined || node.kind === "link" ? undefined : { kind: node.kind, path: place };
  }

  #nodeOf(path: string, type: string, linkpath: string): ArchiveNode | string {
    switch (type) {
      case "File":
      case "OldFile":
      case "ContiguousFile":
        return { kind: "file" };
      case "Directory":
        return { kind: "directory" };
      case "SymbolicLink": {
        const from = path.slice(0, Math.max(0, path.lastIndexOf("/")));
        const leaves = isAbsolute(linkpath) || insideOf(`${from}/${linkpath}`.replace(/^\//, "")) === undefined;
        return leaves ? "is a link that leaves the archive" : { kind: "link", from, target: linkpath };
      }
      case "Link": {
        const target = insideOf(linkpath);
        const linked = target === undefined ? undefined : this.#nodes.get(target)?.kind;
        if (target === undefined || linked !== "file") return "is a link to no file of the archive";
        return { kind: "link", from: "", target };
      }
      default:
        return `is no file, folder or link (${type})`;
    }
  }
}

/** The path relative to the root, without dots; undefined when it leaves the root, on any system. */
function insideOf(path: string): string | undefined {
  if (Buffer.byteLength(path) > PATH_LIMIT || path.includes("\0") || isAbsolute(path)) return undefined;
  const normal = posix.normalize(path).replace(/\/+$/, "");
  if (normal.split(/[/\\]/).includes("..")) return undefined;
  return normal === "." ? "" : normal;
}

function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path);
}

// `a/b/c` lies in `a` and in `a/b`.
function parentsOf(path: string): readonly string[] {
  const steps = path.split("/");
  return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join("/"));
}

function stepsOf(path: string): string[] {
  return path.split("/").filter((step) => step !== "");
}
