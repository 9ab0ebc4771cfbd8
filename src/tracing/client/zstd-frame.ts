import * as zlib from "node:zlib";

const LEAST_CHUNK = 1 << 16;
// The fastest: runs are mostly text, which compresses well at any level. Each write becomes a frame.
const OPTIONS = {
  params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 },
  flush: zlib.constants.ZSTD_e_end,
} as const;

/**
 * Compresses bodies one after the other into the same memory, on another thread. Memory that is made for each body makes
 * the collector mark the whole heap after every eighth of them.
 */
export class FrameWriter {
  #buffer = Buffer.alloc(0);

  /** The memory that it keeps, bytes. */
  get kept(): number {
    return this.#buffer.length;
  }

  /** The body as one frame of zstd, which is valid until the next call. */
  async write(bytes: Buffer): Promise<Buffer> {
    // Most bodies take less than half: their output comes from the other thread in one piece.
    const chunkSize = Math.max(LEAST_CHUNK, bytes.length >> 1);
    const stream = zlib.createZstdCompress({ ...OPTIONS, chunkSize, pledgedSrcSize: bytes.length });
    const pieces: Buffer[] = [];
    try {
      const { promise, resolve, reject } = Promise.withResolvers<undefined>();
      stream.on("error", reject);
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      // To end the stream would add a frame of nothing.
      stream.write(bytes, () => {
        resolve(undefined);
      });
      await promise;
    } finally {
      stream.destroy();
    }
    const frame = this.#joined(pieces);
    // What is this stream's alone is freed at once; short pieces may be of memory that Node shares.
    for (const { buffer } of pieces) {
      if (buffer instanceof ArrayBuffer && buffer.byteLength === chunkSize) buffer.transfer(0);
    }
    return frame;
  }

  #joined(pieces: readonly Buffer[]): Buffer {
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (bytes > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(Math.max(bytes, this.#buffer.length * 2));
    let at = 0;
    for (const piece of pieces) at += piece.copy(this.#buffer, at);
    return this.#buffer.subarray(0, at);
  }
}
