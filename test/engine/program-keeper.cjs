// A process that runs one program after the other, as Pulumi's own `cmd/run` does it, so that its SDK is loaded once. A
// program has ended when nothing is left to do, as a process ends; where one fails, this process ends with it.
const { createRequire } = require("node:module");

// The exit code of a process that has logged why it ends.
const LOGGED = 32;

let ran;

const failed = () => {
  process.exitCode = ran?.started === true ? LOGGED : 1;
};
process.on("uncaughtException", failed);
process.on("unhandledRejection", failed);
// What else listens is of a program.
const own = { uncaughtException: [failed], unhandledRejection: [failed], exit: [] };

process.on("disconnect", () => process.exit());
process.on("message", ({ directory, args, env }) => {
  // From here on only the program keeps this process alive.
  process.channel.unref();
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  // The SDK keeps all that it knows of a run here, and reads it from the environment when it is not there.
  delete globalThis.globalStore;
  const sdk = createRequire(`${directory}/index.js`);
  ran = { started: false, settings: sdk("@pulumi/pulumi/runtime/settings") };
  // Its command would begin to run what it finds in this process's own arguments.
  const filename = sdk.resolve("@pulumi/pulumi/cmd/run");
  const exports = { nodeJSProcessExitedAfterLoggingUserActionableMessage: LOGGED };
  require.cache[filename] ??= { id: filename, filename, loaded: true, exports };
  const logged = new Set();
  const started = () => (ran.started = true);
  // What it throws is what no program has caught.
  void sdk("@pulumi/pulumi/cmd/run/run").run(args, started, (error) => logged.add(error), logged.has.bind(logged));
});

process.on("beforeExit", () => {
  if (ran === undefined || process.exitCode !== undefined) return;
  const { settings } = ran;
  ran = undefined;
  void settings.signalAndWaitForShutdown().then(() => {
    settings.disconnectSync();
    for (const [event, kept] of Object.entries(own)) {
      for (const one of process.listeners(event)) if (!kept.includes(one)) process.off(event, one);
    }
    process.channel.ref();
    for (const stream of [process.stdout, process.stderr]) stream.write("\u0004\n");
  });
});
