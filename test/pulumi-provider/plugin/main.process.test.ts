import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { IMAGE, machine, PLUGIN, rig, subject } from "./rig.ts";

test("the engine that traces passes two addresses, and hears what the provider logs", async () => {
  const flags = ["--logtostderr", "-v=9", "--tracing", "tcp://127.0.0.1:1"];
  const { checked, plugin, lines } = await rig(machine().start({ flags }));
  await plugin.of(subject("billing")).create(await checked("billing", IMAGE));
  expect(lines.map(({ message }) => message).join("\n")).toContain("DEPLOYED");
});

test("inputs of more bytes than gRPC takes by itself come and go", async () => {
  const { checked } = await rig(machine().start());
  const triggers = ["x".repeat(5_000_000)];
  expect(await checked("billing", { ...IMAGE, triggers })).toMatchObject({ triggers });
});

// Each thread starts under the flags of V8 that Node itself was compiled with.
test.each([
  ["that ran", 'await once(thread, "online");'],
  ["that was ended before it ran", ""],
])("the plugin keeps its heap small after a thread %s", async (_what, ran) => {
  const code = `
    import { once } from "node:events";
    import { syncBuiltinESMExports } from "node:module";
    import v8 from "node:v8";
    import { Worker } from "node:worker_threads";
    const flags = [];
    const listening = new Promise((resolve) => {
      v8.setFlagsFromString = (flag) => resolve(flags.push(flag));
    });
    syncBuiltinESMExports();
    await import(${JSON.stringify(PLUGIN)});
    await listening;
    const thread = new Worker("setInterval(() => {}, 1e6)", { eval: true, execArgv: [], env: {} });
    await once(process, "worker");
    ${ran}
    await thread.terminate();
    console.log(flags.filter((flag) => flag.startsWith("--semi-space")).join("\\n"));
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code]);
  const flags = stdout.split("\n").filter((line) => line.startsWith("--"));
  expect(new Set(flags)).toEqual(new Set(["--semi-space-growth-factor=1", "--semi-space-growth-factor=2"]));
  expect(flags.at(-1)).toBe("--semi-space-growth-factor=1");
});
