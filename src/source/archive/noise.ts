import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";

const SAMPLES = 4096;
// Odd, so that the bytes of numbers are met in all their places.
const STRIDE = 127;
// Adding up the squares of how often each byte comes makes 69,616 for random bytes, give or take 360, and more for all
// others: 15 times that for text.
const MAX_SQUARES = 71_500;
const TRIAL_BYTES = 64 * 1024;
const DICTIONARY_BYTES = 32 * 1024;
const WORTH_IT = 0.99;

const deflateRawAsync = promisify<Buffer, object, Buffer>(deflateRaw);

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
