"use strict";
// A Node that is too old prints the whole bundle when it cannot read it: this file asks before, in a syntax that it knows.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`graph-deploy needs Node 22.19 or later; this is ${process.versions.node}.`);
  process.exitCode = 1;
} else {
  import("./index.js").catch((error) => {
    console.error(error instanceof Error ? error.stack : String(error));
    process.exitCode = 1;
  });
}
