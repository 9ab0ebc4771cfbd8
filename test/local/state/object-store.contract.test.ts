import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../src/local/state/data-directory.ts";
import { DeploymentStore } from "../../../src/local/state/deployment-store.ts";
import { ObjectStore } from "../../../src/local/state/object-store.ts";
import {
  withFolder,
  withService,
  IMAGE_CREATE,
  SOURCE_CREATE,
  askForUpload,
  call,
  create,
  folder,
  put,
  start,
  upload,
} from "../caller.ts";
import { projectTarball } from "../tarball.ts";

const TARBALL = projectTarball();

describe("the upload-url endpoint", () => {
  test.each(["", "/v2", "/api-host", "/api-host/v2"])("answers under %j", async (prefix) => {
    const service = await start();
    const { id } = await create(service);
    const reply = await call(service.url, "POST", `${prefix}/deployments/${id}/upload-url`);
    expect(reply).toMatchObject({
      status: 200,
      json: { upload_url: expect.stringMatching(`^${service.url}/objects/`), object_path: expect.any(String) },
    });
    expect(reply.json).not.toHaveProperty("upload_headers");
  });

  withService("takes no body, and the body of the public clients", async (service) => {
    const { id } = await create(service);
    const json = { supports_upload_headers: true };
    expect((await call(service.url, "POST", `/v2/deployments/${id}/upload-url`, { json })).status).toBe(200);
  });

  withService("is for internal_source only", async (service) => {
    const { id } = await create(service, IMAGE_CREATE);
    const reply = await call(service.url, "POST", `/deployments/${id}/upload-url`);
    expect(reply).toMatchObject({ status: 400, json: { detail: expect.stringContaining("external_docker") } });
  });
});

describe("an upload", () => {
  withService("is kept byte for byte", async (service) => {
    const { id } = await create(service);
    const objectPath = await upload(service, id, TARBALL);
    expect(await readFile(service.objectFile(objectPath) ?? "")).toEqual(TARBALL);
  });

  test("that a killed service did not complete leaves no file behind after the next start", async () => {
    const dataDirectory = await folder();
    const objects = join(dataDirectory, "objects");
    const first = await start({ dataDirectory });
    const { id } = await create(first);
    const file = first.objectFile(await upload(first, id, TARBALL)) ?? "";
    await first.close();
    await writeFile(`${file}.5c6ff4d0-3d34-4cc8-9c1e-07d2c1b2f9aa.part`, "half of it");
    await start({ dataDirectory });
    expect(await readdir(objects)).toEqual([basename(file)]);
  });

  withService("may be sent again with the same bytes, and with no others", async (service) => {
    const { id } = await create(service);
    const { upload_url, object_path } = await askForUpload(service, id);
    expect((await put(upload_url, TARBALL)).status).toBe(200);
    expect((await put(upload_url, TARBALL)).status).toBe(200);
    expect(await put(upload_url, Buffer.from("other"))).toMatchObject({
      status: 403,
      json: { detail: expect.stringContaining("has been used") },
    });
    expect(await readFile(service.objectFile(object_path) ?? "")).toEqual(TARBALL);
  });

  test("whose URL is used twice at once wins if it is complete first, and the other is refused", async () => {
    const service = await start();
    const { id } = await create(service);
    const { upload_url, object_path } = await askForUpload(service, id);
    const bodies = ["a", "b", "c", "d"].map((letter) => Buffer.from(letter.repeat(100_000)));
    const replies = await Promise.all(bodies.map((body) => put(upload_url, body)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403]);
    const winner = bodies[replies.findIndex(({ status }) => status === 200)];
    expect(await readFile(service.objectFile(object_path) ?? "")).toEqual(winner);
  });

  withService("that is slow and complete later is refused, though it began first", async (service) => {
    const { id } = await create(service);
    const { upload_url, object_path } = await askForUpload(service, id);
    const [first, second] = [slowPut(upload_url, 8), slowPut(upload_url, 8)];
    first.write("1111");
    second.write("2222");
    await expect.poll(() => service.requests.slice(-2).map(({ bodyBytes }) => bodyBytes)).toEqual([4, 4]);
    expect(service.objectFile(object_path)).toBeUndefined();
    second.write("2222");
    expect(await second.answer).toMatch(/^HTTP\/1.1 200 /);
    first.write("1111");
    expect(await first.answer).toMatch(/^HTTP\/1.1 403 [^]*The signed URL has been used\./);
    expect(await readFile(service.objectFile(object_path) ?? "", "utf8")).toBe("22222222");
  });

  withFolder("that is cut leaves the URL to another one that is on its way", async (dataDirectory) => {
    const service = await start({ dataDirectory });
    const { id } = await create(service);
    const { upload_url, object_path } = await askForUpload(service, id);
    const [first, second] = [slowPut(upload_url, 8), slowPut(upload_url, 8)];
    first.write("1111");
    second.write("2222");
    await expect.poll(() => service.requests.slice(-2).map(({ bodyBytes }) => bodyBytes)).toEqual([4, 4]);
    first.cut();
    second.write("2222");
    expect(await second.answer).toMatch(/^HTTP\/1.1 200 /);
    expect(await readFile(service.objectFile(object_path) ?? "", "utf8")).toBe("22222222");
    await expect.poll(() => readdir(join(dataDirectory, "objects"))).toEqual([basename(object_path)]);
  });

  withFolder("for a deployment that is deleted meanwhile is refused, and leaves no file", async (dataDirectory) => {
    const service = await start({ dataDirectory });
    const { id } = await create(service);
    const { upload_url } = await askForUpload(service, id);
    const slow = slowPut(upload_url, 8);
    slow.write("1111");
    await expect.poll(() => service.requests.at(-1)?.bodyBytes).toBe(4);
    expect((await call(service.url, "DELETE", `/v2/deployments/${id}`)).status).toBe(204);
    slow.write("1111");
    expect(await slow.answer).toMatch(/^HTTP\/1.1 403 /);
    expect(await readdir(join(dataDirectory, "objects"))).toEqual([]);
  });

  test("that cannot be written is answered with 500, and the log says why", async () => {
    const log: string[] = [];
    const dataDirectory = await folder();
    const service = await start({ dataDirectory, log: (line) => log.push(line) });
    const { id } = await create(service);
    const { upload_url, object_path } = await askForUpload(service, id);
    // In the place of the file: writing it fails after all of the body was read, as it does on a full disk.
    await mkdir(join(dataDirectory, "objects", basename(object_path)), { recursive: true });
    const reply = await put(upload_url, TARBALL);
    expect([reply.status, reply.json]).toEqual([500, { detail: "Internal Server Error" }]);
    expect(log).toContainEqual(expect.stringMatching(/^PUT \/objects\/\S+ failed: Error: (?:EISDIR|ENOTEMPTY|EPERM)/));
  });

  withFolder("that the database cannot take leaves no file, and may be sent again", async (directory) => {
    const database = openDatabase(directory);
    onTestFinished(() => {
      database.close();
    });
    new DeploymentStore(database).insert("d", { ...SOURCE_CREATE, secrets: [] });
    const objects = new ObjectStore(database, directory);
    const { objectPath, target } = objects.issue("d");
    const send = async () => {
      const headers = { "content-length": String(TARBALL.length) };
      const [, query] = target.split("?");
      await objects.receive(objectPath, new URLSearchParams(query), headers, Readable.from([TARBALL]));
    };
    database.exec("CREATE TRIGGER full BEFORE UPDATE ON objects BEGIN SELECT RAISE(ABORT, 'no room'); END");
    await expect(send()).rejects.toThrow("no room");
    expect(await readdir(join(directory, "objects"))).toEqual([]);
    database.exec("DROP TRIGGER full");
    await send();
    expect(await readFile(objects.file(objectPath) ?? "")).toEqual(TARBALL);
  });

  withService("that breaks off is not kept", async (service) => {
    const { id } = await create(service);
    const { upload_url, object_path } = await askForUpload(service, id);
    const { hostname, port, pathname, search } = new URL(upload_url);
    const socket = createConnection(Number(port), hostname);
    socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 1000\r\n\r\nhalf`);
    await expect.poll(() => service.requests.at(-1)?.bodyBytes).toBe(4);
    socket.destroy();
    expect((await put(upload_url, TARBALL)).status).toBe(200);
    expect(await readFile(service.objectFile(object_path) ?? "")).toEqual(TARBALL);
  });

  withService("without a length answers 411", async (service) => {
    const { id } = await create(service);
    const { upload_url } = await askForUpload(service, id);
    const headers = { "transfer-encoding": "chunked" };
    expect(await sendRaw(upload_url, headers, "0\r\n\r\n")).toMatch(/^HTTP\/1.1 411 /);
  });

  withService("of more than 200 MiB answers 413 before a byte is sent", async (service) => {
    const { id } = await create(service);
    const { upload_url } = await askForUpload(service, id);
    const headers = { "content-length": String(200 * 1024 * 1024 + 1) };
    expect(await sendRaw(upload_url, headers, "")).toMatch(/^HTTP\/1.1 413 /);
  });

  withService("needs the headers that its URL was signed with", async (service) => {
    service.faults.conditions.uploadHeaders = { "x-store-class": "cold" };
    const { id } = await create(service);
    const reply = await call(service.url, "POST", `/deployments/${id}/upload-url`);
    expect(reply.json).toMatchObject({ upload_headers: { "x-store-class": "cold" } });
    const { upload_url } = reply.json as { upload_url: string };
    expect((await put(upload_url, TARBALL)).status).toBe(403);
    expect((await put(upload_url, TARBALL, { "x-store-class": "cold" })).status).toBe(200);
  });

  withService("is the only thing that an upload URL is good for", async (service) => {
    const { id } = await create(service);
    const { upload_url } = await askForUpload(service, id);
    await put(upload_url, TARBALL);
    for (const method of ["GET", "POST", "DELETE"]) {
      expect(await call(upload_url, method, "")).toMatchObject({ status: 405, headers: { allow: "PUT" } });
    }
  });

  withService("goes with its deployment", async (service) => {
    const { id } = await create(service, { ...SOURCE_CREATE, name: "short-lived" });
    const objectPath = await upload(service, id);
    const file = service.objectFile(objectPath) ?? "";
    await call(service.url, "DELETE", `/v2/deployments/${id}`);
    await expect(readFile(file)).rejects.toThrow("ENOENT");
    expect(service.objectFile(objectPath)).toBeUndefined();
  });
});

/** An upload of so many bytes that are sent one by one, on a connection of its own. */
function slowPut(url: string, length: number) {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  const head = [`PUT ${pathname}${search} HTTP/1.1`, `Host: ${hostname}`, `Content-Length: ${String(length)}`];
  socket.write([...head, "Connection: close", "", ""].join("\r\n"));
  return {
    write: (bytes: string) => void socket.write(bytes),
    cut: () => void socket.destroy(),
    get answer() {
      return text(socket);
    },
  };
}

/** A request head that no client would send, and what comes back. */
async function sendRaw(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<string> {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\n${lines.join("")}\r\n${body}`);
  let answer = "";
  for await (const chunk of socket) {
    answer += String(chunk);
    if (answer.includes("\r\n\r\n")) break;
  }
  socket.destroy();
  return answer;
}
