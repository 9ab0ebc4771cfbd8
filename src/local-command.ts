import process from "node:process";
import { commandFree } from "./text/command-free.ts";
import { ForeignText } from "./text/foreign-text.ts";

const printStack = (error: Error) => {
  const lines = new ForeignText().lines(error.stack ?? String(error)).map(commandFree);
  process.stderr.write(`${lines.join("\n")}\n`);
};

// On Node 22 node:sqlite warns that it is experimental; all other warnings are still printed.
process.removeAllListeners("warning");
process.on("warning", (warning) => {
  if (warning.name !== "ExperimentalWarning") printStack(warning);
});
// As Node does, but an error may quote what was sent.
process.on("uncaughtException", (error) => {
  printStack(error);
  process.exit(1);
});

// Imported after that, since the import emits the warning.
const { runCommand } = await import("./local/command.ts");
process.exitCode = await runCommand({
  argv: process.argv.slice(2),
  environment: process.env,
  // Loaded for the first comparison: the service itself judges nothing.
  compare: async (baseline, compared) => {
    const { compareExperiments } = await import("./judgement/compare-experiments.ts");
    return await compareExperiments(baseline, compared);
  },
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  stopped: new Promise((resolve) => {
    // Not once(): npm forwards a signal that the process may get directly, too, and a second one must not kill it while it closes.
    // SIGHUP comes when the terminal closes; the agents, in other process groups, do not get it.
    for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.on(signal, resolve);
    // npx starts it in a shell, which does not forward signals: without this check the service would run for ever.
    const shell = process.ppid;
    const look = () => {
      if (process.ppid !== shell) resolve(undefined);
    };
    if (process.env["npm_command"] === "exec") setInterval(look, 250).unref();
  }),
});
