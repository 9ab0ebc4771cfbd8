import { crc32, deflateRawSync, zstdCompressSync } from "node:zlib";

/** An entry of a zip that a test makes; what is given besides name and content is written as given, true or not. */
export interface MadeEntry {
  readonly name: string;
  readonly content: string | Buffer;
  readonly method?: number;
  readonly flags?: number;
  readonly size?: number;
  readonly checksum?: number;
  readonly packed?: Buffer;
  /** Where the local header of another entry stands, in place of one of its own. */
  readonly offset?: number;
  readonly packedSize?: number;
}

/** A zip file (APPNOTE.TXT 4.3), deflated where no method is given. */
export function madeZip(entries: readonly MadeEntry[]): Buffer {
  const [local, central]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content);
    const method = entry.method ?? 8;
    const packed = entry.packed ?? pack(content, method);
    const name = Buffer.from(entry.name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(entry.flags ?? 0x800, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(entry.checksum ?? crc32(content), 10);
    common.writeUInt32LE(entry.packedSize ?? packed.length, 14);
    common.writeUInt32LE(entry.size ?? content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(entry.offset ?? offset, 10);
    central.push(Buffer.from("PK\u0001\u0002\u0014\u0000", "latin1"), common, tail, name);
    if (entry.offset !== undefined) continue;
    const parts = [Buffer.from("PK\u0003\u0004", "latin1"), common, name, packed];
    local.push(...parts);
    for (const part of parts) offset += part.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}

function pack(content: Buffer, method: number): Buffer {
  if (method === 8) return deflateRawSync(content);
  return method === 93 ? zstdCompressSync(content) : content;
}
