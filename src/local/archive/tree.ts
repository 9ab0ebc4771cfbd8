import { posix } from "node:path";

type ArchiveNode =
  | { readonly kind: "file" }
  | { readonly kind: "directory" }
  /** The target as written, relative to the directory `from`. */
  | { readonly kind: "link"; readonly from: string; readonly target: string };

export interface ArchiveEntry {
  readonly path: string;
  /** As the `tar` package names it. */
  readonly type: string;
  readonly linkpath?: string;
}

// The limit of Linux.
const LINK_LIMIT = 40;
const PATH_LIMIT = 4096;
// Bytes of one name: NAME_MAX of the file systems that agents run on.
const NAME_LIMIT = 255;
const DEPTH_LIMIT = 200;

/**
 * The names in an archive, without a file system: a hostile archive cannot reach the disk. Any entry that would leave
 * the tree makes the whole archive invalid.
 */
export class ArchiveTree {
  readonly #nodes = new Map<string, ArchiveNode>([["", { kind: "directory" }]]);

  /** Adds an entry. Returns why the archive is invalid; an empty text if the entry is fine. */
  add({ path, type, linkpath = "" }: ArchiveEntry): string {
    const name = JSON.stringify(path.slice(0, 200));
    const inside = insideOf(path);
    if (inside === undefined) return `${name} is outside the archive`;
    if (inside.split("/").some((step) => Buffer.byteLength(step) > NAME_LIMIT)) {
      return `${name} has a name of more than ${String(NAME_LIMIT)} bytes`;
    }
    // `a` and `a/b` for `a/b/c`.
    const steps = inside.split("/");
    const parents = steps.slice(1).map((_, index) => steps.slice(0, index + 1).join("/"));
    if (parents.length > DEPTH_LIMIT) return `${name} lies more than ${String(DEPTH_LIMIT)} directories deep`;
    const broken = parents.find((parent) => (this.#nodes.get(parent)?.kind ?? "directory") !== "directory");
    if (broken !== undefined) return `${name} lies below ${JSON.stringify(broken)}, which is not a directory`;
    const node = this.#nodeOf(inside, type, linkpath);
    if (typeof node === "string") return `${name} ${node}`;
    const before = this.#nodes.get(inside);
    if (before && before.kind !== node.kind) return `${name} appears twice, with different types`;
    for (const parent of parents) this.#nodes.set(parent, { kind: "directory" });
    this.#nodes.set(inside, node);
    return "";
  }

  /** The number of names, including directories without an entry. */
  get size(): number {
    return this.#nodes.size;
  }

  get files(): number {
    return [...this.#nodes.values()].filter((node) => node.kind === "file").length;
  }

  /** What a path leads to, following links step by step as a file system does; undefined if nothing is there. */
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
      if (!node || (node.kind === "file" && steps.length > 0)) return undefined;
      if (node.kind !== "link") continue;
      links += 1;
      if (links > LINK_LIMIT) return undefined;
      at = stepsOf(node.from);
      steps.unshift(...stepsOf(node.target));
    }
    const place = at.join("/");
    const node = this.#nodes.get(place);
    return !node || node.kind === "link" ? undefined : { kind: node.kind, path: place };
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
        if (target === undefined || linked !== "file")
          return "is a hard link to something that is not a file of the archive";
        return { kind: "link", from: "", target };
      }
      default:
        return `is not a file, directory or link (${type})`;
    }
  }
}

/** The path relative to the root, without dots; undefined if it leaves the root, on any system. */
function insideOf(path: string): string | undefined {
  if (Buffer.byteLength(path) > PATH_LIMIT || path.includes("\0") || isAbsolute(path)) return undefined;
  const normal = posix.normalize(path).replace(/\/+$/, "");
  if (normal.split(/[/\\]/).includes("..")) return undefined;
  return normal === "." ? "" : normal;
}

function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path);
}

function stepsOf(path: string): string[] {
  return path.split("/").filter((step) => step !== "");
}
