import { Header, Pax } from "tar";
import type { SourceEntry } from "../entry/entry.ts";

/** Headers and contents fill blocks of this size. */
export const TAR_BLOCK_BYTES = 512;

// The field holds 11 octal digits.
const MAX_USTAR_BYTES = 0o77777777777;
const EPOCH = new Date(0);

/** The header of an entry in normal form: nothing of the machine that packs. PAX only when ustar cannot hold it. */
export function tarHeader({ path, type, size, mode, target }: SourceEntry): Buffer {
  const header = new Header({
    path,
    mode,
    size,
    type: type === "file" ? "File" : "SymbolicLink",
    ...(target === undefined ? {} : { linkpath: target }),
    ...NOBODY,
  });
  const block = Buffer.alloc(TAR_BLOCK_BYTES);
  const needsPax = header.encode(block);
  return needsPax || isMisread(path) ? Buffer.concat([paxHeader(path, size, target), block]) : block;
}

const NOBODY = { uid: 0, gid: 0, mtime: EPOCH, uname: "", gname: "" };

// The class splits a name of 100 bytes without a directory into "." and the name, which reads back as "./name".
function isMisread(path: string): boolean {
  return path.length === 100 && !path.includes("/");
}

// The class's own encode() leaves the fields of this header empty that not every reader takes for zero.
function paxHeader(path: string, size: number, target: string | undefined): Buffer {
  const fields = new Pax({
    path,
    ...(target === undefined ? {} : { linkpath: target }),
    ...(size > MAX_USTAR_BYTES ? { size } : {}),
  });
  const body = Buffer.from(fields.encodeBody());
  const header = new Header({
    path: "PaxHeader",
    mode: 0o644,
    size: body.length,
    type: "ExtendedHeader",
    ...NOBODY,
  });
  const blocks = Buffer.alloc(TAR_BLOCK_BYTES + roundUp(body.length));
  header.encode(blocks);
  body.copy(blocks, TAR_BLOCK_BYTES);
  return blocks;
}

/** Bytes with the padding that fills the last block. */
export function roundUp(bytes: number): number {
  return Math.ceil(bytes / TAR_BLOCK_BYTES) * TAR_BLOCK_BYTES;
}
