import crypto, { type BinaryLike, type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/** What a hash costs in tests whose caller leaves the cost to Node, a thousandth of Node's default. */
export const CHEAP: ScryptOptions = { N: 16 };

declare global {
  var hashedInTests: { count: number } | undefined;
}

/** How many hashes this process has made; the setup and a test load this file apart. */
export const hashed = (globalThis.hashedInTests ??= { count: 0 });

// A fingerprint is slow on purpose, 30 ms of a processor, and a test of the provider takes ten of them.
function cheapened(scryptSync: typeof crypto.scryptSync): typeof crypto.scryptSync {
  return function cheapScryptSync(
    password: BinaryLike,
    salt: BinaryLike,
    length: number,
    options: ScryptOptions = CHEAP,
  ): Buffer<ArrayBuffer> {
    hashed.count += 1;
    return scryptSync(password, salt, length, options);
  };
}

// The files of a process share it.
if (crypto.scryptSync.name === "scryptSync") {
  Object.assign(crypto, { scryptSync: cheapened(crypto.scryptSync) });
  syncBuiltinESMExports();
}
