import { promisify } from "node:util";
import { constants, deflateRaw } from "node:zlib";

/**
 * A block as a piece of a deflate stream that ends on a byte; `dictionary` is what stands before it, up to 32 KiB.
 * Compressed at level 6, or stored as it is when that gains nothing. The work is done on a thread of libuv.
 */
export async function deflateBlock(block: Buffer, dictionary: Buffer | undefined): Promise<Buffer> {
  if (await isNoise(block)) return stored(block);
  const options = { level: 6, finishFlush: constants.Z_SYNC_FLUSH, chunkSize: OUTPUT_BYTES };
  return await deflateRawAsync(block, dictionary === undefined ? options : { ...options, dictionary });
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
const DICTIONARY_BYTES = 32 * 1024;
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
