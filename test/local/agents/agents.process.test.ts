import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { describe, expect, test } from "vitest";
import { request } from "undici";
import { AgentCommandError } from "../../../src/local/index.ts";
import {
  withStartRunning,
  AGENT_COMMAND,
  agentTarball,
  deployLog,
  isAlive,
  nextAgent,
  pidsIn,
  runAgent,
  startRunning,
} from "../agent-script.ts";
import {
  withService,
  withFolder,
  call,
  create,
  deployed,
  folder,
  patch,
  settled,
  start,
  upload,
  GITHUB_CREATE,
  SOURCE_CREATE,
} from "../caller.ts";

interface Env {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly argv: readonly string[];
}

const envOf = async (url: string) => (await call(url, "GET", "/env")).json as Env;

describe("a project that --agent-command runs", () => {
  withStartRunning("answers itself at the deployment's address, and /info proves the revision", async (service) => {
    const { status, url, revisionId } = await runAgent(service);
    expect(status).toBe("DEPLOYED");
    expect((await call(url, "GET", "/info")).json).toEqual({
      version: "9.9.9",
      host: { host_revision_id: revisionId },
    });
    const found = await call(url, "POST", "/assistants/search", { json: {} });
    expect(found.json).toMatchObject([{ graph_id: "agent" }, { graph_id: "router" }]);
    expect(found.headers).toMatchObject({ "x-pagination-total": "2" });
    expect((await call(url, "GET", "/elsewhere")).status).toBe(404);
  });

  test("works in the directory of its configuration file, which {dir} names, in a fresh place for each revision", async () => {
    const dataDirectory = await folder();
    const service = await startRunning({ dataDirectory });
    const { id } = await create(service);
    const source_tarball_path = await upload(service, id, agentTarball({}, "apps/one/"));
    const source_revision_config = { source_tarball_path, graph_config_path: "apps/one/graph.json" };
    await patch(service, id, { source_revision_config });
    const first = service.revisions(id)[0]?.id ?? "";
    expect((await settled(service, id, first)).status).toBe("DEPLOYED");
    const url = service.deployments()[0]?.url ?? "";
    const before = await envOf(url);
    expect(before.cwd.startsWith(join(dataDirectory, "agents") + sep)).toBe(true);
    expect(before.cwd.endsWith(join("apps", "one"))).toBe(true);
    expect(before.argv).toEqual([before.env["PORT"], before.cwd, first]);
    await nextAgent(service, id);
    expect((await envOf(url)).cwd).not.toContain(first);
  });

  test("has the deployment's secrets in its environment, and nothing of the service's own", async () => {
    const service = await startRunning({ agentEnvironment: { PATH: process.env["PATH"] ?? "" } });
    const secrets = [
      { name: "MODEL_API_KEY", value: "key of the model" },
      { name: "not a name", value: "x" },
    ];
    const { id, url, revisionId } = await runAgent(service, {}, { ...SOURCE_CREATE, secrets });
    const { env } = await envOf(url);
    expect(env).toMatchObject({ MODEL_API_KEY: "key of the model", GRAPH_HOST_REVISION_ID: revisionId });
    expect(Object.keys(env).sort()).toEqual(
      ["GRAPH_HOST_PROJECT_ID", "GRAPH_HOST_REVISION_ID", "MODEL_API_KEY", "PATH", "PORT"].sort(),
    );
    await patch(service, id, { secrets: [{ name: "OTHER", value: "v" }] });
    await nextAgent(service, id);
    const next = (await envOf(url)).env;
    expect(next).toMatchObject({ OTHER: "v" });
    expect(next).not.toHaveProperty("MODEL_API_KEY");
  });

  test("has what it prints in its revision's deploy log, line by line, without colours and secrets", async () => {
    const service = await startRunning();
    const print = ["\u001b[32mstarting\u001b[0m up", "", "two\rlines", "x".repeat(9_000)];
    const secrets = [{ name: "MODEL_API_KEY", value: "sk-0123456789" }];
    const body = { ...SOURCE_CREATE, secrets };
    const { id, revisionId, url } = await runAgent(service, { print, printEnv: ["MODEL_API_KEY"] }, body);
    const log = await deployLog(service, id, revisionId);
    expect(log).toEqual(expect.arrayContaining(["starting up", "two", "lines", "MODEL_API_KEY=***"]));
    expect(Math.max(...log.map(({ length }) => length))).toBeLessThan(4_100);
    await call(url, "GET", "/print?line=later");
    await expect.poll(() => deployLog(service, id, revisionId)).toContain("later");
  });

  test("is not passed the key of the service, which is foreign to it", async () => {
    const service = await startRunning({ apiKey: "key-of-the-service" });
    const headers = { "x-api-key": "key-of-the-service" };
    const send = (method: string, path: string, json?: unknown) => call(service.url, method, path, { json, headers });
    const { id } = (await send("POST", "/v2/deployments", SOURCE_CREATE)).json as { id: string };
    const source_tarball_path = await (async () => {
      const { upload_url, object_path } = (await send("POST", `/deployments/${id}/upload-url`)).json as {
        upload_url: string;
        object_path: string;
      };
      await call(upload_url, "PUT", "", { body: agentTarball() });
      return object_path;
    })();
    await send("PATCH", `/v2/deployments/${id}`, { source_revision_config: { source_tarball_path } });
    await settled(service, id, service.revisions(id)[0]?.id ?? "");
    const url = service.deployments()[0]?.url ?? "";
    expect((await call(url, "GET", "/ok")).status).toBe(401);
    const echo = await call(url, "POST", "/echo", { headers: { ...headers, "x-other": "stays" }, body: "text" });
    expect(echo.json).toMatchObject({ headers: { "x-other": "stays" }, body: "text" });
    expect(echo.text).not.toContain("key-of-the-service");
  });

  withStartRunning("gets calls as they were sent, and its answers come back as they are", async (service) => {
    const { url } = await runAgent(service);
    const echo = await call(url, "PUT", "/echo?a=%20b&&c", { body: "x".repeat(300_000), headers: { "x-a": "1" } });
    expect(echo).toMatchObject({ status: 201, headers: { "set-cookie": ["a=1", "b=2"] } });
    expect(echo.json).toMatchObject({ method: "PUT", url: "/echo?a=%20b&&c", headers: { "x-a": "1" } });
    expect((echo.json as { body: string }).body).toHaveLength(300_000);
  });

  withStartRunning("streams: the first event is there before the last was sent", async (service) => {
    const { url } = await runAgent(service);
    const { body } = await request(`${url}/stream`);
    const chunks: string[] = [];
    for await (const chunk of body) chunks.push(String(chunk));
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.join("")).toBe("data: one\r\n\r\ndata: two\r\n\r\ndata: three\r\n\r\n");
  });

  withStartRunning("learns that a caller hung up, and a caller learns that an answer was cut", async (service) => {
    const { id, url, revisionId } = await runAgent(service);
    const hangUp = new AbortController();
    const asked = request(`${url}/wait`, { signal: hangUp.signal });
    asked.catch(() => undefined);
    await expect.poll(() => deployLog(service, id, revisionId)).toContain("a caller waits");
    hangUp.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(() => deployLog(service, id, revisionId)).toContain("the caller is gone");
    await expect(call(url, "GET", "/cut")).rejects.toThrow();
  });

  withStartRunning("that dies later is reported in its log, and requests get 502", async (service) => {
    const { id, url, revisionId } = await runAgent(service);
    expect((await call(url, "GET", "/die")).status).toBe(502);
    await expect.poll(() => deployLog(service, id, revisionId)).toContain("The agent ended with exit code 7.");
    expect((await call(url, "GET", "/ok")).json).toEqual({
      detail: "The agent did not respond: its process ended with exit code 7.",
    });
    expect((await nextAgent(service, id)).status).toBe("DEPLOYED");
    expect((await call(url, "GET", "/ok")).status).toBe(200);
  });
});

describe("an agent is live", () => {
  withStartRunning("once /ok is well, and not before", async (service) => {
    const { status, revisionId, url } = await runAgent(service, { unwell: 3 });
    expect([status, (await call(url, "GET", "/who")).json]).toMatchObject(["DEPLOYED", { revision: revisionId }]);
    const slow = await startRunning({ agentStartMilliseconds: 500 });
    expect((await runAgent(slow, { unwell: 1_000 })).status).toBe("DEPLOY_FAILED");
  });

  test.each([401, 403])("when /ok answers %d, since its project may guard that page", async (okStatus) => {
    const service = await startRunning();
    expect((await runAgent(service, { okStatus })).status).toBe("DEPLOYED");
  });
});

describe("a start that fails is DEPLOY_FAILED", () => {
  withFolder("with the last lines, when the agent ends; what served before still serves", async (dataDirectory) => {
    const service = await startRunning({ dataDirectory });
    const { id, url, revisionId } = await runAgent(service);
    const print = ["loading", "graph agent: no such module"];
    const next = await nextAgent(service, id, { print, exit: 3 });
    expect(next).toMatchObject({
      status: "DEPLOY_FAILED",
      message:
        "The agent ended with exit code 3 before it responded. Its last lines: loading / graph agent: no such module",
    });
    const log = await deployLog(service, id, next.revisionId);
    expect(log).toEqual(expect.arrayContaining(print));
    expect(log.at(-1)).toBe(next.message);
    expect((await call(url, "GET", "/who")).json).toMatchObject({ revision: revisionId });
    // What was unpacked for it is gone.
    expect(await readdir(join(dataDirectory, "agents"))).toEqual([expect.stringContaining(revisionId)]);
  });

  withStartRunning("when it ends with 0, which is no success either", async (service) => {
    const { status, message } = await runAgent(service, { exit: 0 });
    expect([status, message]).toEqual(["DEPLOY_FAILED", "The agent ended with exit code 0 before it responded."]);
  });

  test("when it does not answer in time, and then its processes are gone", async () => {
    const pidFile = join(await folder(), "pids");
    const service = await startRunning({ agentStartMilliseconds: 4_000, agentGraceMilliseconds: 100 });
    const { status, message } = await runAgent(service, {
      mute: true,
      deaf: true,
      child: true,
      pidFile,
      print: ["hm"],
    });
    expect(status).toBe("DEPLOY_FAILED");
    expect(message).toMatch(/^The agent did not respond to \/ok at 127\.0\.0\.1:\d+ within 4 s\. Its last lines: hm/);
    expect(pidsIn(pidFile).filter(isAlive)).toEqual([]);
  });

  test("when there is no such program", async () => {
    const service = await startRunning({ agentCommand: "no-such-program-anywhere {port}" });
    const { status, message } = await runAgent(service);
    expect(status).toBe("DEPLOY_FAILED");
    expect(message).toBe("The agent could not be started (no program no-such-program-anywhere) before it responded.");
  });

  withStartRunning("without showing a secret that no environment can hold", async (service) => {
    const secrets = [{ name: "KEY", value: "a\u0000secret" }];
    const { id, status, message, revisionId } = await runAgent(service, {}, { ...SOURCE_CREATE, secrets });
    expect(status).toBe("DEPLOY_FAILED");
    expect(`${message ?? ""}${(await deployLog(service, id, revisionId)).join("")}`).not.toContain("secret");
  });
});

describe("without the option, and for what was not uploaded", () => {
  withService("the built-in agent server answers, as ever", async (service) => {
    const { url } = await deployed(service);
    expect((await call(url, "GET", "/info")).json).toMatchObject({ host: { kind: "local" } });
    const running = await startRunning();
    const { id, latest_revision_id } = await create(running, GITHUB_CREATE);
    expect((await settled(running, id, latest_revision_id)).status).toBe("DEPLOYED");
    const other = running.deployments()[0]?.url ?? "";
    expect((await call(other, "GET", "/info")).json).toMatchObject({ host: { kind: "local" } });
  });

  test("an invalid command is an error before anything starts", async () => {
    await expect(start({ agentCommand: "  " })).rejects.toBeInstanceOf(AgentCommandError);
    await expect(start({ agentCommand: `${AGENT_COMMAND} "open` })).rejects.toThrow(/unclosed/);
  });
});
