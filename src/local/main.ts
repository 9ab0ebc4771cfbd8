import process from "node:process";

// node:sqlite says on Node 22 that it is experimental; all other warnings are still printed.
process.removeAllListeners("warning");
process.on("warning", (warning) => {
  if (warning.name !== "ExperimentalWarning") process.stderr.write(`${warning.stack ?? String(warning)}\n`);
});

// Loaded after that, since the warning comes with the import.
const { runCommand } = await import("./command.ts");
process.exitCode = await runCommand({
  argv: process.argv.slice(2),
  environment: process.env,
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  stopped: new Promise((resolve) => {
    // Not once: npm passes on a signal that the process may have got by itself, and a second one must not cut the end short.
    // SIGHUP comes when a terminal is closed; the agents, in groups of their own, do not hear it.
    for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.on(signal, resolve);
    // npx starts it in a shell, which a signal ends without a word to us: then the service would go on for ever.
    const shell = process.ppid;
    const look = () => {
      if (process.ppid !== shell) resolve(undefined);
    };
    if (process.env["npm_command"] === "exec") setInterval(look, 250).unref();
  }),
});
