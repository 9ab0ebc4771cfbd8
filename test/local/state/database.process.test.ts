import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { withFolder, IMAGE_CREATE, call } from "../caller.ts";

const MAIN = fileURLToPath(new URL("../../../src/local-command.ts", import.meta.url));
const LIST = "/v2/deployments";
const ROUNDS = 3;
const CALLERS = 4;
const ENOUGH = 40;

/** The local service as a process of its own, which keeps its state in this directory. */
async function startProcess(dataDirectory: string) {
  const child = spawn(process.execPath, [MAIN, "local", "--port", "0", "--data-dir", dataDirectory], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  return { child, url };
}

withFolder("a service that is killed in the middle of writes has lost none that it answered", async (dataDirectory) => {
  const answered = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { child, url } = await startProcess(dataDirectory);
    const exit = once(child, "exit");
    const goal = answered.size + ENOUGH;
    const write = async (caller: number) => {
      for (let turn = 0; child.exitCode === null && child.signalCode === null; turn += 1) {
        const name = `agent-${String(round)}-${String(caller)}-${String(turn)}`;
        const reply = await call(url, "POST", LIST, { json: { ...IMAGE_CREATE, name } }).catch(() => undefined);
        if (reply?.status === 201) answered.add((reply.json as { id: string }).id);
        // The other callers are in the middle of theirs.
        if (answered.size >= goal) child.kill("SIGKILL");
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, (_, caller) => write(caller)));
    await exit;
  }
  const { url } = await startProcess(dataDirectory);
  const found = await Promise.all([...answered].map(async (id) => (await call(url, "GET", `${LIST}/${id}`)).status));
  expect(found.length).toBeGreaterThanOrEqual(ROUNDS * ENOUGH);
  expect(new Set(found)).toEqual(new Set([200]));
});
