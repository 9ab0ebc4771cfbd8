import process from "node:process";

// node:sqlite says on Node 22 that it is experimental; all other warnings are still printed.
process.removeAllListeners("warning");
process.on("warning", (warning) => {
  if (warning.name !== "ExperimentalWarning") process.stderr.write(`${warning.stack ?? String(warning)}\n`);
});

// Loaded after that, since the warning comes with the import.
const { runCommand } = await import("./run-command.ts");
process.exitCode = await runCommand({
  argv: process.argv.slice(2),
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  stopped: new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, resolve);
  }),
});
