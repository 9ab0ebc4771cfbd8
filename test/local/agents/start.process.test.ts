import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readAgentCommand } from "../../../src/local/agents/command.ts";
import { startAgent, type StartOptions } from "../../../src/local/agents/start.ts";
import { closedPort } from "../../wire/closed-port.ts";
import { deployLog, isAlive, pidsIn, runAgent, startRunning, type Behaviour } from "../agent-script.ts";
import { folder } from "../caller.ts";

const SERVER = new URL("../../fixtures/agent-script/server.mjs", import.meta.url);
const OURS = "11111111-1111-4111-8111-111111111111";

/** Another program's server, which answers /ok as an agent does. */
async function stranger({
  port = 0,
  revision = "other",
}: { port?: number; revision?: string | null } = {}): Promise<number> {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(request.url === "/info" ? { host: { host_revision_id: revision } } : { ok: true }));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** A server that sends a response of 256 MiB, and reports how much of it was read. */
async function endless() {
  const block = Buffer.alloc(64 * 1024, " ");
  const told = { port: 0, bytes: 0 };
  const server = createServer((_request, response) => {
    const send = () => {
      while (!response.destroyed && told.bytes < 256 * 1024 * 1024) {
        told.bytes += block.length;
        if (!response.write(block)) return;
      }
      response.end();
    };
    response.on("drain", send).on("error", () => undefined);
    send();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  });
  const address = server.address();
  told.port = typeof address === "object" && address !== null ? address.port : 0;
  return told;
}

/** Starts the agent on the ports given, one after the other; without any, on one that the service picks. */
async function startOn(ports: ((pidFile: string) => Promise<number>)[], behaviour: Behaviour = {}) {
  const directory = await folder();
  const pidFile = join(directory, "pids");
  await writeFile(join(directory, "graph.json"), JSON.stringify({ graphs: { agent: "x:y" } }));
  await writeFile(join(directory, "behaviour.json"), JSON.stringify({ ...behaviour, pidFile }));
  const log: string[] = [];
  const options: StartOptions = {
    command: readAgentCommand(`"${process.execPath}" "${SERVER.pathname}" {port}`),
    directory,
    revisionId: OURS,
    environment: { GRAPH_HOST_REVISION_ID: OURS },
    secrets: [],
    startMilliseconds: 60_000,
    graceMilliseconds: 1_000,
    log: (_level, line) => log.push(line),
    signal: new AbortController().signal,
    freePort: ports.length === 0 ? undefined : () => (ports.shift() ?? closedPort)(pidFile),
  };
  const started = startAgent(options);
  // Also when an expectation fails first.
  onTestFinished(async () => {
    const agent = await started.catch(() => undefined);
    await agent?.process.stop(1_000);
  });
  return { started, log, pids: () => pidsIn(pidFile) };
}

describe("an agent is live only where it was told to listen", () => {
  // A Python server takes seconds to listen; until then another program that asks for any port could get the same one.
  test("its port is none that the system gives to other programs", async () => {
    const { started } = await startOn([]);
    const { port, process } = await started;
    expect(port).toBeGreaterThanOrEqual(10_000);
    expect(port).toBeLessThan(16_000);
    await process.stop(1_000);
  });

  test("a port that is in use is not given to it", async () => {
    const taken = await stranger({ revision: null });
    const { started, log, pids } = await startOn([async () => taken]);
    const { port, process } = await started;
    expect(port).not.toBe(taken);
    expect(log).toContain(`Port ${taken} was taken by another program in the meantime.`);
    expect(pids()).toHaveLength(1);
    await process.stop(1_000);
  });

  test("a port whose program never ends its answer is left after a megabyte of it", async () => {
    const taken = await endless();
    const { started } = await startOn([async () => taken.port]);
    const { port, process } = await started;
    expect(port).not.toBe(taken.port);
    // The looks are a few, and what is on the way of each is cut off.
    expect(taken.bytes).toBeLessThan(64 * 1024 * 1024);
    await process.stop(1_000);
  });

  // The real servers take another port without failing: a request to the first one then reaches a stranger.
  test("an answer that names another revision is a stranger's", async () => {
    const port = await closedPort();
    const takeLater = async (pidFile: string) => {
      // It runs by then, and has not asked for its port yet.
      void expect
        .poll(() => existsSync(pidFile))
        .toBe(true)
        .then(() => stranger({ port }));
      return port;
    };
    const { started, log, pids } = await startOn([takeLater], { startMs: 2_000 });
    const agent = await started;
    expect(agent.port).not.toBe(port);
    expect(log).toContain(`Port ${port} was taken by another program in the meantime.`);
    const [first = 0, second = 0] = pids();
    expect([isAlive(first), isAlive(second)]).toEqual([false, true]);
    await agent.process.stop(1_000);
    expect(isAlive(second)).toBe(false);
  });

  test("one that never takes the port that it is given is DEPLOY_FAILED, and nothing of it is left", async () => {
    const pidFile = join(await folder(), "pids");
    const service = await startRunning();
    const { id, status, message, revisionId } = await runAgent(service, { move: true, pidFile });
    expect([status, message]).toEqual([
      "DEPLOY_FAILED",
      "The agent got none of 3 ports, or does not use the port that it is given.",
    ]);
    expect((await deployLog(service, id, revisionId)).filter((line) => line.includes("already in use"))).toHaveLength(
      3,
    );
    expect(pidsIn(pidFile)).toHaveLength(3);
    expect(pidsIn(pidFile).filter(isAlive)).toEqual([]);
  });

  test("one that silently takes another port is not live", async () => {
    const service = await startRunning({ agentStartMilliseconds: 500 });
    const { status, message } = await runAgent(service, { move: true, silent: true });
    expect(status).toBe("DEPLOY_FAILED");
    expect(message).toMatch(/did not respond to \/ok at 127\.0\.0\.1:\d+ within 0\.5 s/);
  });
});
