import { gzipSync } from "node:zlib";
import { Pax } from "tar";

/** A tar entry, as hostile as a test wants it to be. */
export interface Entry {
  readonly path: string;
  readonly content?: string | Buffer;
  /** A name that TYPE_KEYS has, or the type's own letter. */
  readonly type?: string;
  readonly linkpath?: string;
  /** Instead of the content's length. */
  readonly size?: number;
  /** Writes the path in a PAX header, which has no limit of length. */
  readonly pax?: boolean;
  /** 0o644 when absent. */
  readonly mode?: number;
}

const TYPE_KEYS: Readonly<Record<string, string>> = {
  File: "0",
  Link: "1",
  SymbolicLink: "2",
  CharacterDevice: "3",
  BlockDevice: "4",
  Directory: "5",
  FIFO: "6",
  SparseFile: "S",
};

export function tar(entries: readonly Entry[], { end = true } = {}): Buffer {
  return Buffer.concat([...entries.flatMap(encode), ...(end ? [Buffer.alloc(1024)] : [])]);
}

export function tarball(entries: readonly Entry[]): Buffer {
  return gzipSync(tar(entries));
}

/** A project of one graph, or of what is given. */
export function projectTarball(files: Readonly<Record<string, string>> = PROJECT): Buffer {
  return tarball(Object.entries(files).map(([path, content]) => ({ path, content })));
}

export const PROJECT: Readonly<Record<string, string>> = {
  "graph.json": JSON.stringify({ graphs: { agent: "./src/agent.py:graph" }, dependencies: ["./src"] }),
  "src/agent.py": "graph = 1\n",
};

function encode({
  path,
  content = "",
  type = "File",
  linkpath = "",
  size,
  pax = false,
  mode = 0o644,
}: Entry): Buffer[] {
  const body = Buffer.from(content);
  const header = Buffer.alloc(512);
  header.write(pax ? "pax" : path, 0, 100, "utf8");
  header.write(`${mode.toString(8).padStart(7, "0")}\0`, 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${(size ?? body.length).toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write(TYPE_KEYS[type] ?? type, 156);
  header.write(linkpath, 157, 100, "utf8");
  header.write("ustar\0" + "00", 257);
  header.write("        ", 148);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
  );
  const padding = Buffer.alloc((512 - (body.length % 512)) % 512);
  const record = pax ? [new Pax({ path }).encode()] : [];
  return [...record, header, body, padding];
}
