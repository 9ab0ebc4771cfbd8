import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { AGENT_COMMAND, SERVER } from "./agent-script.ts";
import { IMAGE_CREATE, SOURCE_CREATE, call, folder, put } from "./caller.ts";
import { UPLOAD, experiment, row } from "./experiment-caller.ts";
import { run, runId } from "./run-caller.ts";
import { projectTarball } from "./tarball.ts";

const MAIN = fileURLToPath(new URL("../../src/local-command.ts", import.meta.url));
const LIST = "/v2/deployments";
const FULL = /^The local service stored nothing of this, because its disk (?:is full|takes no more)/;
const LONG = "x".repeat(20_000);
const LARGE = Buffer.alloc(4_000_000, "random bytes");

/** A place that is nearly full, and the command that runs a program there. */
interface SmallDisk {
  /** The data directory; without one the state lies in a temporary file. */
  readonly directory: string | undefined;
  readonly command: readonly string[];
  /** Gives it room, also for this process. */
  makeRoom(pid: number): void;
}

/** A file system of 3 MiB in a namespace of its own, which ends with the test. */
async function smallFileSystem(): Promise<SmallDisk> {
  const place = await folder();
  const script = `mount -t tmpfs -o size=3m tmpfs "${place}" && echo ready && exec sleep 600`;
  const holder = spawn("unshare", ["-rm", "sh", "-c", script], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void holder.kill("SIGKILL"));
  await once(createInterface(holder.stdout), "line");
  const pid = String(holder.pid);
  // The same directory, as it is in that namespace.
  const inside = join("/proc", pid, "root", place);
  writeFileSync(join(inside, "filler"), Buffer.alloc(2 * 1024 * 1024));
  mkdirSync(join(inside, "state"));
  return {
    directory: join(place, "state"),
    command: ["nsenter", "-t", pid, "-U", "-m", "--preserve-credentials"],
    makeRoom: () => {
      rmSync(join(inside, "filler"));
    },
  };
}

/** A limit on the size of each file, as a quota gives it. */
async function smallFiles(): Promise<SmallDisk> {
  return {
    directory: await folder(),
    command: ["prlimit", "--fsize=1000000:unlimited"],
    makeRoom: (pid) => {
      execFileSync("prlimit", ["--pid", String(pid), "--fsize=unlimited"]);
    },
  };
}

function canRun(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const DISKS = [
  ["a full disk", smallFileSystem, canRun("unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt")],
  ["a limit on the size of files", smallFiles, canRun("prlimit", "--fsize=1000000:unlimited", "true")],
] as const;

/** The local service as a process of its own on that disk. */
async function startOn({ directory, command }: SmallDisk, ...argv: readonly string[]) {
  const [program = "", ...args] = [...command, process.execPath, MAIN, "local", "--port", "0", ...argv];
  const place = directory === undefined ? [] : ["--data-dir", directory];
  const child = spawn(program, [...args, ...place, "--walk-milliseconds", "0"], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const printed = { error: "" };
  child.stderr.setEncoding("utf8").on("data", (more: string) => {
    printed.error += more;
  });
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  return { child, printed, url, ended: once(child, "exit") };
}

interface Made {
  readonly id: string;
  readonly latest_revision_id: string;
}

interface Ticket {
  readonly upload_url: string;
  readonly object_path: string;
}

describe.each(DISKS)("a service with %s", (_what, diskOf, isPossible) => {
  test.skipIf(!isPossible)("says so, loses nothing that it answered, and goes on when there is room", async () => {
    const disk = await diskOf();
    const first = await startOn(disk);
    const { url } = first;
    const made: Made[] = [];
    const create = async (origin: string, name: string) => {
      const json = { ...IMAGE_CREATE, name, source_config: { note: LONG } };
      const reply = await call(origin, "POST", LIST, { json });
      if (reply.status === 201) made.push(reply.json as Made);
      return reply;
    };
    const source = (await call(url, "POST", LIST, { json: SOURCE_CREATE })).json as Made;
    made.push(source);
    const ticket = (await call(url, "POST", `/deployments/${source.id}/upload-url`)).json as Ticket;
    expect((await call(url, "POST", UPLOAD, { json: experiment() })).status).toBe(200);
    expect((await call(url, "POST", "/runs", { json: run(1) })).status).toBe(202);

    let reply = await create(url, "agent-0");
    for (let turn = 1; reply.status === 201 && turn < 100; turn += 1)
      reply = await create(url, `agent-${String(turn)}`);
    expect(reply).toMatchObject({ status: 507, json: { detail: expect.stringMatching(FULL) as string } });
    expect(made.length).toBeGreaterThan(3);
    const results = Array.from({ length: 100 }, () => row(1, { inputs: { LONG } }));
    const uploaded = await call(url, "POST", UPLOAD, { json: experiment({ experiment_name: "second", results }) });
    expect(uploaded).toMatchObject({ status: 507, json: { detail: expect.stringMatching(FULL) as string } });
    const traced = await call(url, "POST", "/runs", { json: run(2, { inputs: { text: LONG.repeat(45) } }) });
    expect(traced).toMatchObject({ status: 507, json: { error: expect.stringMatching(FULL) as string } });
    const tarball = await put(ticket.upload_url, LARGE);
    expect(tarball).toMatchObject({ status: 507, json: { detail: expect.stringMatching(FULL) as string } });
    const json = { source_config: { note: LONG.repeat(40) }, source_revision_config: { graph_config_path: "a.json" } };
    expect((await call(url, "PATCH", `${LIST}/${source.id}`, { json })).status).toBe(507);
    // The newer revision was not stored, so this one is not skipped for it.
    const waiting = `${LIST}/${source.id}/revisions/${source.latest_revision_id}`;
    expect((await call(url, "GET", waiting)).json).toMatchObject({
      status: expect.stringMatching(/CREATING|QUEUED/) as string,
    });
    expect(first.printed.error).not.toContain("is SKIPPED");

    const readAll = async (origin: string) => {
      for (const { id, latest_revision_id: revision } of made) {
        expect(await call(origin, "GET", `${LIST}/${id}`)).toMatchObject({ status: 200, json: { id } });
        expect((await call(origin, "GET", `${LIST}/${id}/revisions/${revision}`)).status).toBe(200);
      }
      const { json } = await call(origin, "GET", `${LIST}?limit=100`);
      expect((json as { resources: readonly Made[] }).resources.map(({ id }) => id).sort()).toEqual(
        made.map(({ id }) => id).sort(),
      );
      expect((await call(origin, "GET", "/datasets")).json).toMatchObject([{ session_count: 1, example_count: 2 }]);
      expect((await call(origin, "GET", `/runs/${runId(1)}`)).status).toBe(200);
      expect((await call(origin, "GET", `/runs/${runId(2)}`)).status).toBe(404);
      expect((await call(origin, "GET", "/")).status).toBe(200);
    };
    await readAll(url);
    first.child.kill("SIGKILL");
    await first.ended;

    const second = await startOn(disk);
    await readAll(second.url);
    expect((await create(second.url, "still-full")).status).toBe(507);
    disk.makeRoom(second.child.pid ?? 0);
    expect((await create(second.url, "roomy")).status).toBe(201);
    for (const { id, latest_revision_id: revision } of made.filter(({ id }) => id !== source.id)) {
      const state = async () => (await call(second.url, "GET", `${LIST}/${id}/revisions/${revision}`)).json;
      await expect.poll(state, { timeout: 20_000 }).toMatchObject({ status: "DEPLOYED" });
    }
    // The URL was not used up.
    const target = ticket.upload_url.replace(url, second.url);
    expect((await put(target, projectTarball())).status).toBe(200);
    const change = { source_revision_config: { source_tarball_path: ticket.object_path } };
    const released = (await call(second.url, "PATCH", `${LIST}/${source.id}`, { json: change })).json as Made;
    const state = async () => {
      const path = `${LIST}/${source.id}/revisions/${released.latest_revision_id}`;
      return (await call(second.url, "GET", path)).json;
    };
    await expect.poll(state, { timeout: 20_000 }).toMatchObject({ status: "DEPLOYED" });
    expect((await call(second.url, "GET", waiting)).json).toMatchObject({ status: "SKIPPED" });
    const again = { experiment_name: "second", results: [row(3)] };
    expect((await call(second.url, "POST", UPLOAD, { json: experiment(again) })).status).toBe(200);
    expect((await call(second.url, "GET", "/datasets")).json).toMatchObject([{ session_count: 2, example_count: 3 }]);
    expect((await call(second.url, "POST", "/runs", { json: run(2) })).status).toBe(202);

    second.child.kill("SIGTERM");
    expect(await second.ended).toEqual([0, null]);
    for (const { printed } of [first, second]) {
      expect(printed.error).toMatch(/^POST \/v2\/deployments failed: its disk (?:is full|takes no more)/m);
      expect(printed.error).not.toMatch(/rollback|rolled back|\n {4}at /);
    }
    expect(first.printed.error).toMatch(/^POST \/runs failed: its disk /m);
    expect(first.printed.error).toMatch(/^PUT \/objects\/\S+ failed: its disk /m);
  });

  test.skipIf(!isPossible)("outlives agents whose source and whose output find no room", async () => {
    const disk = await diskOf();
    const { child, ended, printed, url } = await startOn(disk, "--agent-command", AGENT_COMMAND);
    const { id } = (await call(url, "POST", LIST, { json: SOURCE_CREATE })).json as Made;
    const release = async (tarball: Buffer) => {
      const ticket = (await call(url, "POST", `/deployments/${id}/upload-url`)).json as Ticket;
      expect((await put(ticket.upload_url, tarball)).status).toBe(200);
      const json = { source_revision_config: { source_tarball_path: ticket.object_path } };
      const reply = await call(url, "PATCH", `${LIST}/${id}`, { json });
      expect(reply, reply.text).toMatchObject({ status: 200 });
      const { latest_revision_id: revision } = reply.json as Made;
      return async () => (await call(url, "GET", `${LIST}/${id}/revisions/${revision}`)).json;
    };
    const files = {
      "graph.json": JSON.stringify({ graphs: { agent: "./server.mjs:graph" } }),
      "behaviour.json": "{}",
    };
    const large = await release(projectTarball({ ...files, "server.mjs": SERVER, "zeros.bin": "0".repeat(5_000_000) }));
    await expect.poll(large, { timeout: 20_000 }).toMatchObject({
      status: "DEPLOY_FAILED",
      status_message: expect.stringMatching(/^The service could not unpack the source, because its disk /) as string,
    });
    const flood = 'for (let line = 0; line < 100; line += 1) console.log("x".repeat(3900));\n';
    const loud = await release(projectTarball({ ...files, "server.mjs": SERVER + flood }));
    await expect
      .poll(() => printed.error, { timeout: 20_000 })
      .toMatch(/^Lines of deploy logs are lost, because its disk /m);
    expect((await call(url, "GET", LIST)).status).toBe(200);
    disk.makeRoom(child.pid ?? 0);
    await expect.poll(loud, { timeout: 20_000 }).toMatchObject({ status: "DEPLOYED" });
    const deployment = (await call(url, "GET", `${LIST}/${id}`)).json as { readonly url: string };
    expect((await call(deployment.url, "GET", "/ok")).status).toBe(200);
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(printed.error.match(/^Lines of deploy logs are lost/gm)).toHaveLength(1);
    expect(printed.error).not.toMatch(/rollback|\n {4}at /);
  });
});

test.skipIf(!DISKS[1][2])("a service without a data directory loses nothing when its disk is full", async () => {
  const disk = { ...(await smallFiles()), directory: undefined };
  const { child, url } = await startOn(disk);
  const taken: number[] = [];
  for (let number = 1; number <= 30; number += 1) {
    const { status } = await call(url, "POST", "/runs", { json: run(number, { inputs: { text: LONG.repeat(10) } }) });
    expect([202, 507]).toContain(status);
    if (status === 202) taken.push(number);
  }
  expect(taken.length).toBeLessThan(30);
  expect(taken.length).toBeGreaterThan(2);
  disk.makeRoom(child.pid ?? 0);
  for (const number of taken) expect((await call(url, "GET", `/runs/${runId(number)}`)).status).toBe(200);
  expect((await call(url, "POST", "/runs", { json: run(31) })).status).toBe(202);
});

test.skipIf(!DISKS[1][2])("a service whose disk has no room for a new state says so, and does not start", async () => {
  const directory = await folder();
  const args = ["--fsize=1000:unlimited", process.execPath, MAIN, "local", "--port", "0", "--data-dir", directory];
  const child = spawn("prlimit", args, { stdio: ["ignore", "ignore", "pipe"] });
  const [error, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect([error, code]).toEqual([
    `The data directory ${directory} cannot be used: its disk takes no more: it may be full, or over a quota or a limit. Free some space, or choose another directory.\n`,
    1,
  ]);
});
