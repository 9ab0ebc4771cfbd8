import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import {
  withStartRunning,
  deployLog,
  hammer,
  isAlive,
  nextAgent,
  pidsIn,
  runAgent,
  startRunning,
} from "../agent-script.ts";
import { withFolder, call, create, folder, patch, settled, upload, occupy, SOURCE_CREATE } from "../caller.ts";
import { agentTarball } from "../agent-script.ts";

const who = async (url: string) => (await call(url, "GET", "/who")).json as { revision: string; pid: number };

describe("a new revision", () => {
  test("takes over without one request that fails, and the one before it ends", async () => {
    const pidFile = join(await folder(), "pids");
    const dataDirectory = await folder();
    const service = await startRunning({ dataDirectory });
    const { id, url, revisionId } = await runAgent(service, { pidFile });
    const asked = hammer(url);
    const revisions = [revisionId];
    for (let turn = 0; turn < 3; turn += 1) {
      await sleep(50);
      const next = await nextAgent(service, id, { pidFile, startMs: 100 });
      expect([next.status, next.url]).toEqual(["DEPLOYED", url]);
      revisions.push(next.revisionId);
      expect(await who(url)).toMatchObject({ revision: next.revisionId });
      await expect.poll(() => asked.heard).toContain(next.revisionId);
    }
    await asked.stop();
    expect(asked.failed).toEqual([]);
    expect(asked.heard.length).toBeGreaterThan(50);
    expect(new Set(asked.heard)).toEqual(new Set(revisions));
    await expect.poll(() => pidsIn(pidFile).map(isAlive)).toEqual([false, false, false, true]);
    await expect.poll(() => readdir(join(dataDirectory, "agents"))).toHaveLength(1);
  });

  withStartRunning("starts beside the old one, which serves until then", async (service) => {
    const { id, url, revisionId } = await runAgent(service);
    const source_tarball_path = await upload(service, id, agentTarball({ startMs: 2_000 }));
    await patch(service, id, { source_revision_config: { source_tarball_path } });
    await expect.poll(() => service.revisions(id)[0]?.status).toBe("DEPLOYING");
    expect(await who(url)).toMatchObject({ revision: revisionId });
    const next = service.revisions(id)[0]?.id ?? "";
    await settled(service, id, next);
    expect(await who(url)).toMatchObject({ revision: next });
  });

  withStartRunning("lets a long answer of the old one end first", async (service) => {
    const { id, url, revisionId } = await runAgent(service);
    const long = call(url, "GET", "/who?ms=900");
    await expect.poll(() => service.requests.some(({ path }) => path === "/who")).toBe(true);
    const next = await nextAgent(service, id);
    expect(await who(url)).toMatchObject({ revision: next.revisionId });
    expect(await long).toMatchObject({ status: 200, json: { revision: revisionId } });
  });

  test("that was started but failed after that ends, and does not serve", async () => {
    const pidFile = join(await folder(), "pids");
    const service = await startRunning();
    const { id, url, revisionId } = await runAgent(service);
    service.faults.nextRevision({ end: "DEPLOY_FAILED" });
    const next = await nextAgent(service, id, { pidFile });
    expect(next.status).toBe("DEPLOY_FAILED");
    await expect.poll(() => pidsIn(pidFile).map(isAlive)).toEqual([false]);
    expect(await who(url)).toMatchObject({ revision: revisionId });
  });
});

describe("an agent ends", () => {
  test("by force after the grace time when it ignores SIGTERM, with all that it has started", async () => {
    const pidFile = join(await folder(), "pids");
    const service = await startRunning({ agentGraceMilliseconds: 2_000 });
    const { id, revisionId } = await runAgent(service, { deaf: true, child: true, pidFile });
    expect(pidsIn(pidFile).map(isAlive)).toEqual([true, true]);
    await nextAgent(service, id);
    await expect.poll(() => pidsIn(pidFile).map(isAlive)).toEqual([false, false]);
    // It was asked first.
    expect(await deployLog(service, id, revisionId)).toContain("SIGTERM is ignored");
    await expect.poll(() => deployLog(service, id, revisionId)).toContain("The agent was killed, 2 s after SIGTERM.");
  });

  test("with its deployment", async () => {
    const pidFile = join(await folder(), "pids");
    const service = await startRunning();
    const { id, url } = await runAgent(service, { pidFile });
    expect((await call(service.url, "DELETE", `/v2/deployments/${id}`)).status).toBe(204);
    expect(pidsIn(pidFile).map(isAlive)).toEqual([false]);
    await expect(call(url, "GET", "/ok")).rejects.toThrow(/ECONNREFUSED/);
  });

  test("with its deployment while it still starts", async () => {
    const pidFile = join(await folder(), "pids");
    const service = await startRunning();
    const { id } = await create(service);
    const source_tarball_path = await upload(service, id, agentTarball({ mute: true, pidFile }));
    await patch(service, id, { source_revision_config: { source_tarball_path } });
    await expect.poll(() => readdir(join(pidFile, ".."))).toEqual(["pids"]);
    expect((await call(service.url, "DELETE", `/v2/deployments/${id}`)).status).toBe(204);
    expect(pidsIn(pidFile).map(isAlive)).toEqual([false]);
  });

  test("with the service: those that serve, those that start and those that are deaf", async () => {
    const pidFile = join(await folder(), "pids");
    const dataDirectory = await folder();
    const service = await startRunning({ dataDirectory, agentGraceMilliseconds: 300 });
    await runAgent(service, { deaf: true, child: true, pidFile });
    const { id } = await create(service, { ...SOURCE_CREATE, name: "other" });
    const source_tarball_path = await upload(service, id, agentTarball({ mute: true, pidFile }));
    await patch(service, id, { source_revision_config: { source_tarball_path } });
    await expect.poll(() => pidsIn(pidFile)).toHaveLength(3);
    await service.close();
    expect(pidsIn(pidFile).map(isAlive)).toEqual([false, false, false]);
    expect(await readdir(dataDirectory)).not.toContain("agents");
  });
});

describe("a service that restarts on the same directory", () => {
  withFolder(
    "has the end of an agent once, which a new one had ended when the service was closed",
    async (dataDirectory) => {
      const first = await startRunning({ dataDirectory, agentGraceMilliseconds: 300 });
      const { id, revisionId } = await runAgent(first, { deaf: true });
      await nextAgent(first, id);
      await first.close();
      const second = await startRunning({ dataDirectory });
      const ends = (await deployLog(second, id, revisionId)).filter((line) => line.startsWith("The agent was killed"));
      expect(ends).toEqual(["The agent was killed, 0.3 s after SIGTERM."]);
    },
  );

  test("starts the agents again at the same addresses, without the secrets, which it says", async () => {
    const dataDirectory = await folder();
    const first = await startRunning({ dataDirectory });
    const secrets = [{ name: "MODEL_API_KEY", value: "sk-0123456789" }];
    const { id, url, revisionId } = await runAgent(first, {}, { ...SOURCE_CREATE, secrets });
    await first.close();

    const second = await startRunning({ dataDirectory });
    await expect.poll(async () => (await call(url, "GET", "/ok")).status).toBe(200);
    expect(await who(url)).toMatchObject({ revision: revisionId });
    const { json } = await call(url, "GET", "/env");
    expect(json).not.toHaveProperty("env.MODEL_API_KEY");
    expect(await deployLog(second, id, revisionId)).toContainEqual(
      expect.stringContaining("runs without its secrets (MODEL_API_KEY)"),
    );
    expect((await nextAgent(second, id)).status).toBe("DEPLOYED");
  });

  withFolder("continues with an agent that was starting", async (dataDirectory) => {
    const first = await startRunning({ dataDirectory });
    const { id } = await create(first);
    const source_tarball_path = await upload(first, id, agentTarball({ startMs: 300 }));
    await patch(first, id, { source_revision_config: { source_tarball_path } });
    await expect.poll(() => first.revisions(id)[0]?.status).toBe("DEPLOYING");
    await first.close();
    const second = await startRunning({ dataDirectory });
    const revisionId = second.revisions(id)[0]?.id ?? "";
    expect((await settled(second, id, revisionId)).status).toBe("DEPLOYED");
  });

  withFolder("answers 503 until then, and says why in the log when it does not come", async (dataDirectory) => {
    const first = await startRunning({ dataDirectory });
    const { id, url, revisionId } = await runAgent(first);
    await first.close();
    const second = await startRunning({ dataDirectory, agentCommand: "no-such-program-anywhere" });
    expect(await call(url, "GET", "/ok")).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    await expect
      .poll(() => deployLog(second, id, revisionId))
      .toContain("The agent could not be started (no program no-such-program-anywhere) before it responded.");
  });

  withFolder("an address that is in use moves, and the agent answers there", async (dataDirectory) => {
    const first = await startRunning({ dataDirectory });
    const { url, revisionId } = await runAgent(first);
    await first.close();
    const giveBack = await occupy(Number(new URL(url).port));
    const second = await startRunning({ dataDirectory });
    const moved = second.deployments()[0]?.url ?? "";
    expect(moved).not.toBe(url);
    await expect.poll(async () => (await call(moved, "GET", "/ok")).status).toBe(200);
    expect(await who(moved)).toMatchObject({ revision: revisionId });
    await giveBack();
  });
});
