#!/usr/bin/env node
// Old syntax only: an old Node must be able to read this file, to report that it is too old.
var parts = process.versions.node.split(".");
var major = Number(parts[0]);
if (major > 22 || (major === 22 && Number(parts[1]) >= 19)) {
  var main = new URL("../build/library/local-command.js", import.meta.url).href;
  import(main).catch(function (error) {
    console.error(error instanceof Error ? error.message : String(error));
    // The published package has it; a clone has it after a build.
    if (error instanceof Error && error.code === "ERR_MODULE_NOT_FOUND" && error.url === main) {
      console.error("In a clone of the repository, run `npm run local`, or `npm run build` first.");
    }
    process.exitCode = 1;
  });
} else {
  console.error("graph-deploy needs Node 22.19 or later; this is Node " + process.versions.node + ".");
  process.exitCode = 1;
}
