import crypto, { type BinaryLike, type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

/** What a hash costs in tests whose caller leaves the cost to Node, a thousandth of Node's default. */
export const CHEAP: ScryptOptions = { N: 16 };

declare global {
  var hashedInTests: { count: number; running: number; most: number } | undefined;
}

/** How many hashes this process has made, and how many at once at most; the setup and a test load this file apart. */
export const hashed = (globalThis.hashedInTests ??= { count: 0, running: 0, most: 0 });

type Scrypt = typeof crypto.scrypt;
type Done = Extract<Parameters<Scrypt>[4], (...parts: never) => void>;

// A fingerprint is slow on purpose, 30 ms of a processor, and a test of the provider takes ten of them.
function cheapened(scrypt: Scrypt): Scrypt {
  return function cheapScrypt(
    password: BinaryLike,
    salt: BinaryLike,
    length: number,
    ...rest: readonly [Done] | readonly [ScryptOptions, Done]
  ): void {
    const [options, done] = rest.length === 1 ? [CHEAP, rest[0]] : rest;
    hashed.count += 1;
    hashed.running += 1;
    hashed.most = Math.max(hashed.most, hashed.running);
    const ended: Done = (...result) => {
      hashed.running -= 1;
      done(...result);
    };
    scrypt(password, salt, length, options, ended);
  };
}

// The files of a process share it.
if (crypto.scrypt.name === "scrypt") {
  Object.assign(crypto, { scrypt: cheapened(crypto.scrypt) });
  syncBuiltinESMExports();
}
