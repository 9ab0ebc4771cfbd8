import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";
import { startLocalService } from "../../src/local/index.ts";
import { ProviderProcess } from "../engine/provider-process.ts";
import { IMAGE, machine, rig, subject } from "./plugin/rig.ts";

const MAIN = JSON.stringify(`${projectRoot}/pulumi-provider/main.ts`);
const PROVIDER = { __provider: `exports.handler = () => require(${MAIN}).deployment;` };
const ENGINE = `
  const server = require("node:net").createServer((socket) => socket.resume());
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));`;

/** A process that takes connections as an engine does, and can be killed. */
async function startEngine() {
  const child = spawn(process.execPath, ["-e", ENGINE], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [port] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const kill = async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { address: `127.0.0.1:${port}`, kill };
}

/** Pulumi's host of dynamic providers, whose parent lives on when its engine is killed, with a service of its own. */
async function hostOf(engine: { readonly address: string }) {
  const service = await startLocalService({ walkMilliseconds: 4 });
  onTestFinished(() => service.close());
  const host = await ProviderProcess.startDynamic("agents", { directory: projectRoot, engine });
  onTestFinished(() => host[Symbol.asyncDispose]());
  await host.configure({ "graph-deploy:controlPlaneUrl": service.url });
  const checked = async (name: string) => {
    const { inputs, failures } = await host.check({}, { ...PROVIDER, ...IMAGE, name });
    expect(failures).toEqual([]);
    return inputs;
  };
  await checked("billing");
  return { host, service, checked };
}

test("a host whose engine is killed ends by itself, and one whose engine lives does not", async () => {
  const [killed, living] = await Promise.all([startEngine(), startEngine()]);
  const [left, kept] = await Promise.all([hostOf(killed), hostOf(living)]);
  await killed.kill();
  await left.host.ended;
  await kept.checked("tools");
});

test("a host that waits for a revision ends, too, when its engine is killed", async () => {
  const engine = await startEngine();
  const { host, service, checked } = await hostOf(engine);
  service.faults.nextRevision({ hold: "DEPLOYING" });
  const waiting = host.create(await checked("billing")).catch(() => "cut off");
  await expect
    .poll(() => service.requests.filter(({ path }) => path.includes("/revisions/")).length)
    .toBeGreaterThan(1);
  await engine.kill();
  await host.ended;
  await waiting;
});

test("a plugin whose engine is killed ends by itself while it waits, and one whose engine lives does not", async () => {
  const machines = [machine(), machine()] as const;
  const [left, kept] = await Promise.all(machines.map((one) => rig(one.start({ isChild: true }))));
  if (left === undefined || kept === undefined) throw new Error("there are two");
  left.service.faults.nextRevision({ hold: "DEPLOYING" });
  const waiting = left.plugin
    .of(subject("billing"))
    .create(await left.checked("billing", IMAGE))
    .catch(() => "cut off");
  const looks = () => left.service.requests.filter(({ path }) => path.includes("/revisions/")).length;
  await expect.poll(looks).toBeGreaterThan(1);
  left.plugin.kill();
  await left.plugin.ended;
  await waiting;
  await kept.checked("tools", IMAGE);
});
