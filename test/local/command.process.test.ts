import { spawn, type ChildProcess, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { Agent } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import { compareExperiments } from "../../src/judgement/compare-experiments.ts";
import { DEFAULT_PORT, readCommand, runCommand } from "../../src/local/command.ts";
import { VERSION } from "../../src/version.ts";
import { commandIn } from "../front/account/runner-commands.ts";
import { AGENT_COMMAND, agentTarball, isAlive, pidsIn } from "./agent-script.ts";
import { withFolder, IMAGE_CREATE, SOURCE_CREATE, call, create, deployed, folder, put, settled } from "./caller.ts";
import { UPLOAD, experiment } from "./experiment-caller.ts";
import { startLocalService } from "../../src/local/index.ts";

const TENANT = "7c1a64e2-0000-4000-8000-000000000001";
const MAIN = fileURLToPath(new URL("../../src/local-command.ts", import.meta.url));

interface Run {
  readonly child: ChildProcess;
  /** What was printed so far. */
  readonly printed: { out: string; error: string };
  /** The exit code and all that was printed. */
  readonly ended: Promise<{ code: number | null; signal: string | null; out: string; error: string }>;
  /** The first line of the output. */
  readonly firstLine: Promise<string>;
}

function run(...argv: readonly string[]): Run {
  return watch(spawn(process.execPath, [MAIN, ...argv], { stdio: ["ignore", "pipe", "pipe"] }));
}

function watch(child: ChildProcessByStdio<null, Readable, Readable>): Run {
  onTestFinished(() => void child.kill("SIGKILL"));
  const printed = { out: "", error: "" };
  const firstLine = Promise.withResolvers<string>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed.out += text;
    if (printed.out.includes("\n")) firstLine.resolve(printed.out.slice(0, printed.out.indexOf("\n")));
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    printed.error += text;
  });
  const ended = once(child, "close").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
    ...printed,
  }));
  return { child, printed, ended, firstLine: firstLine.promise };
}

/** The program in this process, and not its start: that takes a second of the processor. It stops with the test. */
function inProcess(...argv: readonly string[]) {
  const printed = { out: "", error: "" };
  const firstLine = Promise.withResolvers<string>();
  const stopped = Promise.withResolvers<undefined>();
  const ended = runCommand({
    argv,
    environment: process.env,
    compare: compareExperiments,
    out: (text) => {
      printed.out += text;
      firstLine.resolve(printed.out.slice(0, printed.out.indexOf("\n")));
    },
    error: (text) => {
      printed.error += text;
    },
    stopped: stopped.promise,
  }).then((code) => ({ code, ...printed }));
  const stop = () => {
    stopped.resolve(undefined);
    return ended;
  };
  onTestFinished(() => void stop());
  return { printed, ended, firstLine: firstLine.promise, stop };
}

describe("graph-deploy local", () => {
  test("prints only its URL on stdout once it listens, and all else on stderr", async () => {
    const { child, ended, firstLine } = run("local", "--port", "0");
    const url = await firstLine;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await call(url, "GET", "/v2/deployments")).status).toBe(200);
    child.kill("SIGTERM");
    const { code, out, error } = await ended;
    expect([code, out]).toEqual([0, `${url}\n`]);
    expect(error).toContain("in memory; open to every user of this machine");
    expect(error).toContain(`To deploy to it, set GRAPH_DEPLOY_URL=${url};`);
    expect(error).toContain(`Deployments: ${url}/\n`);
    expect(error).not.toContain("password");
    expect(error).not.toMatch(/warning/i);
  });

  test.skipIf(process.platform === "win32").each(["SIGTERM", "SIGINT"] as const)(
    "ends with 0 on %s, though a client keeps its connection",
    async (signal) => {
      const { child, ended, firstLine } = run("local", "--port", "0");
      const client = new Agent({ keepAliveTimeout: 60_000 });
      onTestFinished(() => client.destroy());
      const url = await firstLine;
      const reply = await client.request({ origin: url, path: "/v2/deployments", method: "GET" });
      await reply.body.text();
      child.kill(signal);
      expect(await ended).toMatchObject({ code: 0, signal: null });
    },
  );

  test.skipIf(process.platform === "win32").each([
    ["SIGTERM", { deaf: true, child: true }, 2],
    ["SIGINT", {}, 1],
    ["SIGHUP", {}, 1],
  ] as const)("leaves no agent behind on %s: %j", async (signal, behaviour, processes) => {
    const pidFile = join(await folder(), "pids");
    const { child, ended, firstLine } = run(
      ...["local", "--port", "0", "--walk-milliseconds", "0", "--agent-command", AGENT_COMMAND],
    );
    const url = await firstLine;
    const created = await call(url, "POST", "/v2/deployments", { json: SOURCE_CREATE });
    const { id } = created.json as { id: string };
    const ticket = (await call(url, "POST", `/v2/deployments/${id}/upload-url`)).json as {
      upload_url: string;
      object_path: string;
    };
    await put(ticket.upload_url, agentTarball({ ...behaviour, pidFile }));
    const source_revision_config = { source_tarball_path: ticket.object_path };
    await call(url, "PATCH", `/v2/deployments/${id}`, { json: { source_revision_config } });
    const active = async () => (await call(url, "GET", `/v2/deployments/${id}`)).json;
    await expect.poll(active).toMatchObject({ url: expect.stringContaining("127.0.0.1") });
    expect(pidsIn(pidFile).filter(isAlive)).toHaveLength(processes);
    child.kill(signal);
    const { code, error } = await ended;
    expect(code).toBe(0);
    expect(error).toContain("can run programs as your user: set --api-key");
    expect(pidsIn(pidFile).filter(isAlive)).toEqual([]);
  });

  test("says in a clone without a build what to do", async () => {
    const program = join(await folder(), "graph-deploy.mjs");
    await copyFile(fileURLToPath(new URL("../../bin/graph-deploy.mjs", import.meta.url)), program);
    const { ended } = watch(spawn(process.execPath, [program, "local"], { stdio: ["ignore", "pipe", "pipe"] }));
    expect(await ended).toMatchObject({ code: 1, out: "", error: expect.stringContaining("npm run local") });
  });

  // npm runs a script in a shell, which kept the signal for itself: npm ended with 143, and the service went on.
  test.skipIf(process.platform === "win32")("ends with 0 when npm gets the signal, and leaves no orphan", async () => {
    const folderOfProject = fileURLToPath(new URL("../..", import.meta.url));
    const { child, ended, firstLine } = watch(
      spawn("npm", ["run", "--silent", "local", "--", "--port", "0"], {
        cwd: folderOfProject,
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
    const url = await firstLine;
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ code: 0, signal: null });
    await expect(call(url, "GET", "/v2/deployments")).rejects.toThrow();
  });

  test.skipIf(process.platform === "win32")("ends when the shell that npx put around it is ended", async () => {
    const { child, firstLine } = watch(
      spawn("sh", ["-c", `"${process.execPath}" "${MAIN}" local --port 0; true`], {
        env: { ...process.env, npm_command: "exec" },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
    const url = await firstLine;
    child.kill("SIGTERM");
    const answers = async () =>
      call(url, "GET", "/v2/deployments").then(
        () => true,
        () => false,
      );
    await expect.poll(answers).toBe(false);
  });

  test("prints where the experiments and the traces are, and has those pages", async () => {
    const { printed, firstLine } = inProcess("local", "--port", "0", "--tenant-id", TENANT, "--api-key", "key-0123");
    const url = await firstLine;
    const line = /^Datasets and experiments: (.*)$/m;
    await expect.poll(() => printed.error).toMatch(line);
    const page = line.exec(printed.error)?.[1] ?? "";
    expect(page).toBe(`${url}/o/${TENANT}/datasets`);
    const login = Buffer.from("any name:key-0123").toString("base64");
    const answer = await call(page, "GET", "", { headers: { authorization: `Basic ${login}` } });
    expect(answer.text).toContain("<h1>Datasets</h1>");
    await expect.poll(() => printed.error).toContain("The browser asks for a login");
    expect(printed.error).toContain(`Projects and traces: ${url}/o/${TENANT}/projects`);
    const variables = `GRAPH_DEPLOY_URL=${url} GRAPH_DEPLOY_API_KEY=KEY GRAPH_DEPLOY_TENANT_ID=${TENANT}`;
    expect(printed.error).toContain(`To deploy to it, set ${variables};`);
  });

  withFolder("takes its settings, and never prints the key", async (dataDirectory) => {
    const { stop, firstLine } = inProcess(
      ...["local", "--port=0", "--data-dir", dataDirectory, "--api-key", "key-0123", "--tenant-id", TENANT],
      ...["--edition", "self-hosted", "--field-names", "graph_config_path=acmegraph_config_path", "--compat"],
      ...["--walk-milliseconds", "0", "--experiment-delay-milliseconds", "0", "--experiment-limit-bytes", "10"],
    );
    const url = await firstLine;
    const headers = { "x-api-key": "key-0123", "x-tenant-id": TENANT };
    expect((await call(url, "GET", "/v2/deployments")).status).toBe(401);
    const json = { name: "a", source: "github", source_config: {}, source_revision_config: {}, secrets: [] };
    expect((await call(url, "POST", "/v2/deployments", { json, headers })).status).toBe(422);
    const created = await call(url, "POST", "/v2/deployments", {
      json: { ...json, source: "internal_source" },
      headers,
    });
    expect(created.json).toMatchObject({ source_revision_config: { acmegraph_config_path: null } });
    const large = await call(await firstLine, "POST", UPLOAD, { json: experiment(), headers });
    expect(large).toMatchObject({ status: 413, json: { detail: "The body is larger than 10 bytes." } });
    const { code, out, error } = await stop();
    expect(code).toBe(0);
    expect(out + error).not.toContain("key-0123");
    const service = await startLocalService({ dataDirectory });
    onTestFinished(() => service.close());
    expect(service.deployments()).toMatchObject([{ name: "a" }]);
  });

  test("says which credentials it needs, and what a tenant ID opens", async () => {
    const said = async (...argv: readonly string[]) => {
      const { printed, firstLine } = inProcess("local", "--port", "0", ...argv);
      await firstLine;
      await expect.poll(() => printed.error).toContain("Projects and traces");
      return printed.error;
    };
    const key = ["--api-key", "key-0123"];
    const tenant = ["--tenant-id", TENANT];
    expect(await said()).toContain("; open to every user of this machine. ");
    expect(await said(...key)).toContain("; requests need the API key. ");
    expect(await said(...tenant)).toContain(`; requests need the tenant ${TENANT}. `);
    const both = `; requests need the API key and the tenant ${TENANT}, those for deployments only one of them. `;
    const opened = await said(...key, ...tenant, "--agent-command", AGENT_COMMAND);
    expect(opened).toContain(both);
    expect(opened).toContain("Anyone who knows the tenant ID can run programs as your user");
  });

  test("prints no name that a terminal or a runner would obey", async () => {
    const hostile = "::error::x\u001b[31m##[add-mask]y\n::warning::z\r::notice::q\u2028::debug::w";
    const { stop, firstLine } = inProcess("local", "--port", "0", "--walk-milliseconds", "0");
    const url = await firstLine;
    for (const name of [hostile, `\u00a0${hostile}`]) {
      const made = await call(url, "POST", "/v2/deployments", { json: { ...IMAGE_CREATE, name } });
      expect(made.status).toBe(201);
      const { status } = await call(url, "POST", UPLOAD, {
        json: experiment({ experiment_name: name, dataset_name: name }),
      });
      expect(status).toBe(200);
      const { id, latest_revision_id: revision } = made.json as { id: string; latest_revision_id: string };
      const state = async () => (await call(url, "GET", `/v2/deployments/${id}/revisions/${revision}`)).json;
      await expect.poll(state).toMatchObject({ status: "DEPLOYED" });
    }
    const { error } = await stop();
    const lines = error.replace(/\n$/, "").split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/u);
    expect(lines.filter((line) => /error.*warning/.test(line))).toHaveLength(4);
    expect(lines.filter((line) => commandIn(line) !== undefined || /\p{Cc}/u.test(line))).toEqual([]);
  });

  test("prints no argument that a terminal or a runner would obey", async () => {
    const hostile = "\n::error::x\u001b[31m##[group]y";
    const { error } = await inProcess("local", `--port=${hostile}`, `--edition=${hostile}`, `--${hostile}`).ended;
    const directory = await inProcess("local", "--port", "0", "--data-dir", `/dev/null/${hostile}`).ended;
    for (const text of [error, directory.error]) {
      const lines = text.replace(/\n$/, "").split(/[\n\r]/u);
      expect(lines.length).toBe(text === error ? 3 : 1);
      expect(lines.filter((line) => commandIn(line) !== undefined || /\p{Cc}/u.test(line))).toEqual([]);
    }
  });

  withFolder("logs the end of a revision on stderr", async (dataDirectory) => {
    const before = await startLocalService({ dataDirectory, walkMilliseconds: 0 });
    const { id } = await deployed(before);
    await before.close();
    const { printed, firstLine } = inProcess(
      ...["local", "--port", "0", "--data-dir", dataDirectory, "--walk-milliseconds", "0"],
    );
    const json = { source_revision_config: { graph_config_path: "lost.json" } };
    await call(await firstLine, "PATCH", `/v2/deployments/${id}`, { json });
    await expect.poll(() => printed.error).toMatch(/^support-agent: revision [0-9a-f-]{36} is BUILD_FAILED$/m);
  });

  withFolder("that is killed loses nothing: the next one continues what was in progress", async (dataDirectory) => {
    const { child, ended, firstLine } = run("local", "--port", "0", "--data-dir", dataDirectory);
    const reply = await call(await firstLine, "POST", "/v2/deployments", { json: IMAGE_CREATE });
    const { id, latest_revision_id } = reply.json as { id: string; latest_revision_id: string };
    child.kill("SIGKILL");
    await ended;
    const service = await startLocalService({ dataDirectory, walkMilliseconds: 0 });
    onTestFinished(() => service.close());
    expect((await settled(service, id, latest_revision_id)).status).toBe("DEPLOYED");
  });

  test("ends with 1 and one sentence when the port is taken", async () => {
    const service = await startLocalService();
    onTestFinished(() => service.close());
    const port = new URL(service.url).port;
    const { code, out, error } = await inProcess("local", "--port", port).ended;
    expect([code, out]).toEqual([1, ""]);
    expect(error).toBe(`Port ${port} is in use by another program. Choose another port, or 0 for a free one.\n`);
  });

  withFolder("ends with 1 and one sentence when the directory is in use", async (dataDirectory) => {
    const service = await startLocalService({ dataDirectory });
    onTestFinished(() => service.close());
    const { code, error } = await inProcess("local", "--port", "0", "--data-dir", dataDirectory).ended;
    expect(code).toBe(1);
    expect(error).toBe(
      `The data directory ${dataDirectory} cannot be used: another local service is using it. Stop that service, or choose another directory.\n`,
    );
  });

  test("ends with 2 and one sentence for each invalid argument", async () => {
    const { code, out, error } = await run("local", "--port", "x", "--bogus", "--edition", "mars", "--api-key").ended;
    expect([code, out]).toEqual([2, ""]);
    expect(error.trimEnd().split("\n").sort()).toEqual([
      "--api-key needs a value.",
      "--bogus is not a known option; see graph-deploy local --help.",
      '--edition "mars"; choose cloud or self-hosted.',
      '--port "x" is not a whole number from 0 to 65535.',
    ]);
  });

  test.each([[["--version"]], [["local", "--version"]]])("%j prints the version alone", async (argv) => {
    expect(await inProcess(...argv).ended).toMatchObject({ code: 0, out: `${VERSION}\n`, error: "" });
  });

  test("--help names the commands, and ends with 0", async () => {
    const { code, out, error } = await inProcess("--help").ended;
    expect([code, error]).toEqual([0, ""]);
    expect(out).toMatch(/^Usage: graph-deploy COMMAND [^]*\n {2}local [^]*--version/);
  });

  test("local --help names every option and ends with 0", async () => {
    const { code, out, error } = await inProcess("local", "--help").ended;
    expect([code, error]).toEqual([0, ""]);
    for (const flag of [
      "port",
      "data-dir",
      "api-key",
      "tenant-id",
      "edition",
      "field-names",
      "compat",
      "agent-command",
      "experiment-delay-milliseconds",
      "experiment-limit-bytes",
    ]) {
      expect(out).toContain(`--${flag}`);
    }
  });
});

describe("the arguments", () => {
  test("have port 8123 when none is named", () => {
    expect(readCommand(["local"])).toMatchObject({ kind: "local", options: { port: DEFAULT_PORT, compat: false } });
    expect(DEFAULT_PORT).toBe(8123);
  });

  test("set how experiments are taken", () => {
    const flags = ["--experiment-delay-milliseconds", "250", "--experiment-limit-bytes=1000000"];
    const options = { experimentDelayMilliseconds: 250, experimentLimitBytes: 1_000_000 };
    expect(readCommand(["local", ...flags])).toMatchObject({ kind: "local", options });
  });

  test.each([
    [[], "Name a command: graph-deploy local."],
    [["serve"], 'Unknown command "serve"; the only command is local.'],
    [["serve", "--help"], 'Unknown command "serve"; the only command is local.'],
    [["--version", "--bogus"], "--bogus is not a known option; see graph-deploy --help."],
    [["local", "--help", "--bogus"], "--bogus is not a known option; see graph-deploy local --help."],
    [["local", "--version=1"], "--version takes no value."],
    [["local", "extra"], '"extra" is not a known option; see graph-deploy local --help.'],
    [["local", "--compat=yes"], "--compat takes no value."],
    [["local", "--port", "65536"], '--port "65536" is not a whole number from 0 to 65535.'],
    [["local", "--port", "-1"], '--port "-1" is not a whole number from 0 to 65535.'],
    [
      ["local", "--experiment-limit-bytes", "2 GiB"],
      '--experiment-limit-bytes "2 GiB" is not a whole number from 0 to 9007199254740991.',
    ],
    [["local", "--api-key="], "--api-key needs a value."],
    [["local", "--tenant-id", "t 1"], '--tenant-id "t 1" is not a UUID.'],
    [["local", "--tenant-id="], "--tenant-id needs a value."],
    [["local", "--field-names", "x"], '--field-names: "x" is not a pair; write ours=theirs.'],
    [["local", "-x"], "-x is not a known option; see graph-deploy local --help."],
  ])("%j: %s", (argv, error) => {
    expect(readCommand(argv)).toEqual({ kind: "invalid", errors: [error] });
  });
});

test("twenty services run side by side, each with its own port and state", async () => {
  const services = await Promise.all(Array.from({ length: 20 }, () => startLocalService()));
  expect(new Set(services.map(({ url }) => url)).size).toBe(20);
  for (const service of services) {
    await create(service);
    expect(service.deployments()).toHaveLength(1);
    await service.close();
  }
});
