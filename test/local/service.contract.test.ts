import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { DataDirectoryError, PortTakenError, startLocalService } from "../../src/local/index.ts";
import {
  withService,
  withFolder,
  IMAGE_CREATE,
  call,
  create,
  deployed,
  folder,
  occupy,
  release,
  settled,
  start,
  upload,
  patch,
} from "./caller.ts";

describe("a service that restarts on the same directory", () => {
  test("knows its deployments, revisions and objects, and the agents answer at the same addresses", async () => {
    const dataDirectory = await folder();
    const first = await start({ dataDirectory });
    const { id, revisionId, url } = await deployed(first);
    const before = { deployments: first.deployments(), revisions: first.revisions(id) };
    await first.close();
    await expect(call(url, "GET", "/ok")).rejects.toThrow(/ECONNREFUSED/);

    const second = await start({ dataDirectory });
    expect({ deployments: second.deployments(), revisions: second.revisions(id) }).toEqual(before);
    expect((await call(url, "GET", "/info")).json).toMatchObject({ host: { host_revision_id: revisionId } });
    expect((await call(url, "POST", "/assistants/search", { json: {} })).json).toHaveLength(1);
    const path = before.revisions[0]?.source_revision_config.source_tarball_path ?? "";
    expect((await stat(second.objectFile(path) ?? "")).size).toBeGreaterThan(0);
    const next = await release(second, id);
    expect((await settled(second, id, next)).status).toBe("DEPLOYED");
    expect(second.deployments()[0]?.url).toBe(url);
  });

  withFolder("moves an agent whose port is taken, and stays at the new one", async (dataDirectory) => {
    const first = await start({ dataDirectory });
    const { url } = await deployed(first);
    await first.close();
    const lines: string[] = [];
    const giveBack = await occupy(Number(new URL(url).port));
    const second = await start({ dataDirectory, log: (line) => lines.push(line) });
    const moved = second.deployments()[0]?.url ?? "";
    expect(moved).not.toBe(url);
    expect(lines.join("\n")).toMatch(/port \d+ is in use/);
    expect((await call(moved, "GET", "/ok")).status).toBe(200);
    await second.close();
    await giveBack();
    const third = await start({ dataDirectory });
    expect(third.deployments()[0]?.url).toBe(moved);
  });

  test.each(["QUEUED", "BUILDING", "DEPLOYING"])("continues with a revision that was %s", async (hold) => {
    const dataDirectory = await folder();
    const first = await start({ dataDirectory });
    const { id } = await create(first);
    first.faults.nextRevision({ hold });
    const revisionId = await release(first, id);
    await expect.poll(() => first.revisions(id)[0]?.status).toBe(hold);
    await first.close();

    const second = await start({ dataDirectory });
    const revision = await settled(second, id, revisionId);
    expect(revision.history).toEqual([
      "CREATING",
      "QUEUED",
      "AWAITING_BUILD",
      "BUILDING",
      "AWAITING_DEPLOY",
      "DEPLOYING",
      "DEPLOYED",
    ]);
    expect(second.deployments()[0]?.active_revision_id).toBe(revisionId);
  });

  withFolder("keeps the queue: what waited still waits for the one before it", async (dataDirectory) => {
    const first = await start({ dataDirectory });
    first.faults.nextRevision({ hold: "DEPLOYING" });
    const { id, latest_revision_id } = await create(first, IMAGE_CREATE);
    await expect.poll(() => first.revisions(id)[0]?.status).toBe("DEPLOYING");
    await patch(first, id, { source_revision_config: { image_uri: "registry.example/agent:2" } });
    const waiting = first.deployments()[0]?.latest_revision_id ?? "";
    await expect.poll(() => first.revisions(id)[0]?.status).toBe("QUEUED");
    await first.close();

    const second = await start({ dataDirectory });
    expect((await settled(second, id, latest_revision_id)).status).toBe("DEPLOYED");
    expect((await settled(second, id, waiting)).status).toBe("DEPLOYED");
    expect(second.deployments()[0]?.active_revision_id).toBe(waiting);
  });

  withFolder("finishes a delete", async (dataDirectory) => {
    const first = await start({ dataDirectory });
    const { id } = await create(first);
    await upload(first, id);
    first.faults.conditions.deleteMilliseconds = 60_000;
    await call(first.url, "DELETE", `/v2/deployments/${id}`);
    await first.close();
    const second = await start({ dataDirectory });
    expect(second.deployments()).toEqual([]);
    expect(await readdir(join(dataDirectory, "objects"))).toEqual([]);
  });

  withFolder("takes an upload whose URL was given out before", async (dataDirectory) => {
    const first = await start({ dataDirectory });
    const { id } = await create(first);
    const path = await upload(first, id);
    await first.close();
    const second = await start({ dataDirectory });
    const change = { source_revision_config: { source_tarball_path: path } };
    expect((await patch(second, id, change)).status).toBe(200);
  });
});

describe("a service cannot start", () => {
  withFolder("on a directory that another one uses", { tags: "slow" }, async (dataDirectory) => {
    await start({ dataDirectory });
    const starting = startLocalService({ dataDirectory });
    await expect(starting).rejects.toThrow(DataDirectoryError);
    await expect(starting).rejects.toThrow(`The data directory ${dataDirectory} cannot be used: another local service`);
  });

  test("on a file", async () => {
    const dataDirectory = join(await folder(), "file");
    await writeFile(dataDirectory, "");
    await expect(startLocalService({ dataDirectory })).rejects.toThrow(DataDirectoryError);
  });

  test.each([
    ["the version before", 4],
    ["a later version", 99],
  ])("on a directory with the state of %s", async (_which, version) => {
    const dataDirectory = await folder();
    const database = new DatabaseSync(join(dataDirectory, "state.sqlite"));
    database.exec(`PRAGMA user_version = ${String(version)}`);
    database.close();
    const starting = startLocalService({ dataDirectory });
    await expect(starting).rejects.toMatchObject({
      code: "LOCAL_DATA_DIRECTORY",
      message: `The data directory ${dataDirectory} holds the state of another version.`,
      advice: "Remove the directory, or choose another one.",
    });
  });

  withFolder("on a port that is taken, and the directory is free again", async (dataDirectory) => {
    const running = await start();
    const port = Number(new URL(running.url).port);
    await expect(startLocalService({ port, dataDirectory })).rejects.toThrow(PortTakenError);
    await start({ dataDirectory });
  });
});

// On Windows a file has no such mode.
describe.skipIf(process.platform === "win32")("the state", () => {
  const modeOf = async (...path: string[]) => ((await stat(join(...path))).mode & 0o777).toString(8);

  test("is the owner's alone, also in a directory that existed before and was open to all", async () => {
    const dataDirectory = await folder();
    await chmod(dataDirectory, 0o755);
    const service = await start({ dataDirectory });
    await upload(service, (await create(service)).id);
    const names = await readdir(dataDirectory);
    expect(names).toEqual(expect.arrayContaining(["objects", "state.sqlite", "state.sqlite-wal"]));
    expect(await modeOf(dataDirectory)).toBe("700");
    for (const name of names)
      expect([name, await modeOf(dataDirectory, name)]).toEqual([name, name === "objects" ? "700" : "600"]);
  });

  withFolder("is closed to others when an earlier service left it open", async (dataDirectory) => {
    await (await start({ dataDirectory })).close();
    await chmod(join(dataDirectory, "state.sqlite"), 0o644);
    await mkdir(join(dataDirectory, "objects"), { mode: 0o755 });
    await start({ dataDirectory });
    expect(await modeOf(dataDirectory, "state.sqlite")).toBe("600");
    expect(await modeOf(dataDirectory, "objects")).toBe("700");
  });

  withFolder("leaves a directory with other files as it is", async (dataDirectory) => {
    await chmod(dataDirectory, 0o755);
    await writeFile(join(dataDirectory, "notes.txt"), "mine", { mode: 0o644 });
    await start({ dataDirectory });
    expect(await modeOf(dataDirectory)).toBe("755");
    expect(await modeOf(dataDirectory, "notes.txt")).toBe("644");
    expect(await modeOf(dataDirectory, "state.sqlite")).toBe("600");
  });
});

describe("a service in memory", () => {
  withService("leaves nothing behind", async (first) => {
    const { id } = await create(first);
    const path = await upload(first, id);
    const file = first.objectFile(path) ?? "";
    await first.close();
    await expect(stat(file)).rejects.toThrow("ENOENT");
  });

  withService("closes once, however often it is told to", async (service) => {
    await Promise.all([service.close(), service.close()]);
    await service[Symbol.asyncDispose]();
    await expect(call(service.url, "GET", "/")).rejects.toThrow(/ECONNREFUSED/);
  });
});

test.each([
  [{}, undefined],
  [{ keepBodies: true }, expect.objectContaining({ name: expect.any(String) as string })],
])("the bodies of refused creates stay in memory only where a test asks for them: %j", async (options, kept) => {
  const service = await start(options);
  const name = "x".repeat(500_000);
  for (let turn = 0; turn < 3; turn += 1) {
    expect((await call(service.url, "POST", "/v2/deployments", { json: { name } })).status).toBe(422);
  }
  expect(service.requests).toHaveLength(3);
  for (const { bodyBytes, json } of service.requests) {
    expect(bodyBytes).toBeGreaterThan(500_000);
    expect(json).toEqual(kept);
  }
});

test("the log of a service that a program starts holds one line each, which no runner or terminal obeys", async () => {
  const log: string[] = [];
  const service = await start({ log: (line) => log.push(line) });
  const name = "::error::x\u001b[31m##[group]y\n::warning::z";
  const { id, latest_revision_id: revision } = await create(service, { ...IMAGE_CREATE, name });
  await settled(service, id, revision);
  expect(log).toEqual([`: :error::x## [group]y ::warning::z: revision ${revision} is DEPLOYED`]);
});
