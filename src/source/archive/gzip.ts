import { crc32 } from "node:zlib";
import { deflateBlock } from "./deflate-block.ts";

/** How to compress; no option changes the bytes. */
export interface GzipOptions {
  readonly signal: AbortSignal;
  /** How many blocks are compressed at a time. */
  readonly concurrency?: number;
  /** Called with each block but the last, as soon as it may be written to again. */
  readonly release?: (block: Buffer) => void;
}

/** A block on its way. */
interface Job {
  readonly before: Buffer | undefined;
  readonly compressed: Promise<Buffer>;
}

/**
 * Compresses blocks into one ordinary gzip member, several at a time on the threads of libuv, and yields the parts in
 * order. Each block is a deflate stream of its own that starts with the 32 KiB before it as its dictionary and ends on
 * a byte, so that the parts join. The bytes depend on the blocks alone. A block must not be written to before it is
 * released.
 */
export async function* gzip(
  blocks: Iterable<Buffer>,
  { signal, concurrency = BLOCKS_AT_A_TIME, release = () => undefined }: GzipOptions,
): AsyncGenerator<Buffer, void, void> {
  const inFlight: Job[] = [];
  let checksum = 0;
  let size = 0;
  let before: Buffer | undefined;
  yield HEADER;
  try {
    for (const block of blocks) {
      signal.throwIfAborted();
      checksum = crc32(block, checksum);
      size += block.length;
      inFlight.push({ before, compressed: start(block, before?.subarray(-DICTIONARY_BYTES)) });
      before = block;
      if (inFlight.length >= concurrency) yield* takeFirst(inFlight, release);
    }
    while (inFlight.length > 0) {
      yield* takeFirst(inFlight, release);
      signal.throwIfAborted();
    }
  } finally {
    // When the reader gives up, the threads end before their buffers are let go.
    await Promise.allSettled(inFlight.map(({ compressed }) => compressed));
  }
  yield trailer(checksum, size);
}

// More than the four threads that libuv has by default: the reader is synchronous and the oldest block is awaited
// first, so that with fewer a thread runs dry meanwhile; more cost memory and gain nothing (bench archive).
const BLOCKS_AT_A_TIME = 6;

// RFC 1952: deflate, no name, no time, no hint about the level, system unknown. Nothing of the machine.
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
// RFC 1951: a match reaches back 32 KiB.
const DICTIONARY_BYTES = 32 * 1024;
// An empty last block of deflate, because the blocks before end with a flush and not with the end of the stream.
const LAST_BLOCK = [0x03, 0x00];

function start(block: Buffer, dictionary: Buffer | undefined): Promise<Buffer> {
  const compressed = deflateBlock(block, dictionary);
  // It is awaited in its turn; until then a failure must not count as unhandled.
  compressed.catch(() => undefined);
  return compressed;
}

async function* takeFirst(inFlight: Job[], release: (block: Buffer) => void): AsyncGenerator<Buffer, void, void> {
  const first = inFlight.shift();
  if (first === undefined) return;
  const { before, compressed } = first;
  const part = await compressed;
  // It was compressed in its own turn, and now it has been a dictionary too.
  if (before !== undefined) release(before);
  yield part;
}

function trailer(checksum: number, size: number): Buffer {
  const bytes = Buffer.alloc(LAST_BLOCK.length + 8);
  bytes.set(LAST_BLOCK);
  bytes.writeUInt32LE(checksum, LAST_BLOCK.length);
  // The field holds the size modulo 2^32: RFC 1952, section 2.3.1.
  bytes.writeUInt32LE(size % 2 ** 32, LAST_BLOCK.length + 4);
  return bytes;
}
