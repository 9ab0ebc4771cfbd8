import { posix, relative, sep } from "node:path";

/** A directory under the names that rules and messages know it by. Each prefix is empty or ends with a slash. */
export interface Folder {
  readonly absolute: string;
  /** From the archive's root. */
  readonly prefix: string;
  /** From the directory where ignore files begin to count, as a byte string. */
  readonly fromTop: string;
  /** From the agent project, as a byte string; it begins with `../` outside of it. */
  readonly fromProject: string;
}

export interface Place {
  readonly folder: Folder;
  readonly name: string;
  /** The name as a byte string. */
  readonly bytes: string;
  readonly kind: PlaceKind;
}

/** `other` is a socket, a FIFO or a device. */
export type PlaceKind = "file" | "folder" | "link" | "other";

export function placeIn(folder: Folder, name: string, kind: PlaceKind): Place {
  return { folder, name, bytes: toByteString(name), kind };
}

/** The path from the archive's root. */
export function pathOf({ folder, name }: Place): string {
  return folder.prefix + name;
}

/** The path in the file system. */
export function absoluteOf({ folder, name }: Place): string {
  return `${folder.absolute}${folder.absolute.endsWith(sep) ? "" : sep}${name}`;
}

/** The directory that a place is; `project` is the agent project from the archive's root. */
export function folderOf(place: Place, project: string): Folder {
  const { folder, bytes } = place;
  const prefix = `${pathOf(place)}/`;
  return {
    absolute: absoluteOf(place),
    prefix,
    fromTop: `${folder.fromTop}${bytes}/`,

    // The way down from a directory above the project may lead to the project itself, whose prefix is empty.
    fromProject: /^(?:\.\.\/)+$/.test(folder.fromProject)
      ? toByteString(asPrefix(posix.relative(`/${project}`, `/${prefix}`)))
      : `${folder.fromProject}${bytes}/`,
  };
}

/** The path between two absolute directories with forward slashes. */
export function slashed(from: string, to: string): string {
  return relative(from, to).split(sep).join("/");
}

/** A path as a prefix of those below it. */
export function asPrefix(path: string): string {
  return path === "" ? "" : `${path}/`;
}

/** A name or a path as macOS and Windows know it: without its case and its Unicode form. */
export function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

const ASCII_ONLY = /^\p{ASCII}*$/u;

/**
 * The UTF-8 bytes of a text as a string with one character per byte. Git matches and sorts bytes: its `?` is one byte
 * of a name, and comparing such strings with `<` orders them as their bytes.
 */
export function toByteString(text: string): string {
  return ASCII_ONLY.test(text) ? text : Buffer.from(text).toString("latin1");
}

/** The text of such bytes, for messages. */
export function fromByteString(bytes: string): string {
  return ASCII_ONLY.test(bytes) ? bytes : Buffer.from(bytes, "latin1").toString();
}
