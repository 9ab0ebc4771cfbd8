"use strict";
// A Node that is too old prints the whole bundle when it cannot read it: this file asks before, in a syntax that it knows.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`graph-deploy needs Node 22.19 or later; this is ${process.versions.node}.`);
  process.exitCode = 1;
} else {
  limitFreedMemory();
  // With a hundred deployments at once V8 doubles the room for young objects up to 100 MB, and never gives it back.
  require("node:v8").setFlagsFromString("--semi-space-growth-factor=1");
  import("./index.js").catch((error) => {
    console.error(error instanceof Error ? error.stack : String(error));
    process.exitCode = 1;
  });
}

/**
 * Once a block of 16 MB was freed, which each hash of secrets takes, glibc keeps up to twice as much free memory in each of
 * its arenas: 40 MB with a hundred deployments. It reads its limit when a process begins, so this one begins again, as the
 * same process, unless another program has loaded this file, such as the language host of Pulumi.
 */
function limitFreedMemory() {
  const { argv, env, execArgv, execPath, permission, platform } = process;
  if (platform !== "linux" || typeof process.execve !== "function" || "MALLOC_TRIM_THRESHOLD_" in env) return;
  if (permission !== undefined && !permission.has("child")) return;
  if (argv[1] === undefined || require("node:path").dirname(realPath(argv[1])) !== module.path) return;
  process.execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, MALLOC_TRIM_THRESHOLD_: "1000000" });
}

function realPath(path) {
  try {
    return require("node:fs").realpathSync(path);
  } catch {
    return path;
  }
}
