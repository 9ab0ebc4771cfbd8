import { crc32, constants, deflateRaw } from "node:zlib";
import { promisify } from "node:util";

/** How to compress; but for the level, no option changes the bytes. */
export interface GzipOptions {
  readonly signal: AbortSignal;
  /** Of deflate, 1 to 9. */
  readonly level: number;
  /** How many blocks are compressed at a time. */
  readonly concurrency?: number;
  /** Called with each block but the last, as soon as it may be written to again. */
  readonly release?: (block: Buffer) => void;
}

interface Job {
  readonly before: Buffer | undefined;
  readonly compressed: Promise<Buffer>;
}

/**
 * Compresses blocks into one ordinary gzip member, several at a time on the threads of libuv, and yields the parts in
 * order. Each block is a deflate stream of its own that starts with the 32 KiB before it as its dictionary and ends on
 * a byte, so that the parts join. The bytes depend on the blocks and the level alone. A block must not be written to
 * before it is released.
 */
export async function* gzip(
  blocks: Iterable<Buffer>,
  { signal, level, concurrency = BLOCKS_AT_A_TIME, release = () => undefined }: GzipOptions,
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
      const compressed = deflateBlock(block, before?.subarray(-DICTIONARY_BYTES), level);
      // It is awaited in its turn; until then a failure must not count as unhandled.
      compressed.catch(() => undefined);
      inFlight.push({ before, compressed });
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
  const bytes = Buffer.alloc(LAST_BLOCK.length + 8);
  bytes.set(LAST_BLOCK);
  bytes.writeUInt32LE(checksum, LAST_BLOCK.length);
  // The field holds the size modulo 2^32: RFC 1952, section 2.3.1.
  bytes.writeUInt32LE(size % 2 ** 32, LAST_BLOCK.length + 4);
  yield bytes;
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

async function* takeFirst(inFlight: Job[], release: (block: Buffer) => void): AsyncGenerator<Buffer, void, void> {
  const first = inFlight.shift();
  if (!first) return;
  const { before, compressed } = first;
  const part = await compressed;
  // It was compressed in its own turn, and now it has been a dictionary too.
  if (before) release(before);
  yield part;
}

/**
 * A block as a piece of a deflate stream that ends on a byte; `dictionary` is what stands before it, up to 32 KiB.
 * Stored as it is when compressing it gains nothing. The work is done on a thread of libuv.
 */
export async function deflateBlock(block: Buffer, dictionary: Buffer | undefined, level: number): Promise<Buffer> {
  if (await isNoise(block)) return stored(block);
  const options = { level, finishFlush: constants.Z_SYNC_FLUSH, chunkSize: OUTPUT_BYTES };
  return await deflateRawAsync(block, dictionary ? { ...options, dictionary } : options);
}

// What one trip to a thread may return: text takes one trip. Room for the whole block would cost 5 % of the whole
// time, in fresh memory (bench archive).
const OUTPUT_BYTES = 256 * 1024;

const deflateRawAsync = promisify<Buffer, object, Buffer>(deflateRaw);

// RFC 1951, section 3.2.4: a stored block holds up to 65,535 bytes, behind their number and its complement.
const STORED_BYTES = 32 * 1024;
const STORED_HEADER_BYTES = 5;

function stored(block: Buffer): Buffer {
  const count = Math.ceil(block.length / STORED_BYTES);
  const bytes = Buffer.allocUnsafeSlow(block.length + count * STORED_HEADER_BYTES);
  let at = 0;
  for (let from = 0; from < block.length; from += STORED_BYTES) {
    const part = block.subarray(from, from + STORED_BYTES);
    bytes.writeUInt8(0, at);
    bytes.writeUInt16LE(part.length, at + 1);
    bytes.writeUInt16LE(0xffff - part.length, at + 3);
    bytes.set(part, at + STORED_HEADER_BYTES);
    at += STORED_HEADER_BYTES + part.length;
  }
  return bytes;
}

const SAMPLES = 4096;
// Odd, so that the bytes of numbers are met in all their places.
const STRIDE = 127;
// Adding up the squares of how often each byte comes makes 69,616 for random bytes, give or take 360, and more for all
// others: 15 times that for text.
const MAX_SQUARES = 71_500;
const TRIAL_BYTES = 64 * 1024;
const WORTH_IT = 0.99;

/**
 * True for a block of 512 KiB that deflate cannot make shorter: an image, an archive, encrypted data. All bytes come
 * equally often in it, which takes microseconds to see, and a trial finds no repetition in its middle.
 */
export async function isNoise(block: Buffer): Promise<boolean> {
  if (block.length < SAMPLES * STRIDE || !hasEvenBytes(block)) return false;
  const middle = block.length >>> 1;
  const dictionary = block.subarray(middle - DICTIONARY_BYTES, middle);
  const trial = await deflateRawAsync(block.subarray(middle, middle + TRIAL_BYTES), { level: 1, dictionary });
  return trial.length > WORTH_IT * TRIAL_BYTES;
}

function hasEvenBytes(block: Buffer): boolean {
  const counts = new Uint16Array(256);
  let squares = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const byte = block[sample * STRIDE] ?? 0;
    const before = counts[byte] ?? 0;
    counts[byte] = before + 1;
    squares += 2 * before + 1;
    // Text gets here in its first hundreds of samples.
    if (squares > MAX_SQUARES) return false;
  }
  return true;
}
