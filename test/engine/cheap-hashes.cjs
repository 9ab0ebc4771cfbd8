// Loaded before a host: a fingerprint is slow on purpose, 40 ms of a processor, and each host makes one or two. Here a hash
// that leaves its cost to Node is as cheap as in the tests' own process (test/cheap-hashes.ts). All processes of a test
// hash alike, so one reads what another has written.
const crypto = require("node:crypto");
const { syncBuiltinESMExports } = require("node:module");

const { scryptSync } = crypto;

crypto.scryptSync = (password, salt, length, options = { N: 16 }) => scryptSync(password, salt, length, options);
syncBuiltinESMExports();
