import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Redactor } from "../../src/http/redactor.ts";
import { uploadRefused } from "../../src/local/index.ts";
import { startFaultServer, type Handler } from "../wire/fault-server.ts";
import { earlyRefusal, htmlPage, resetAfter, resetBefore, slowReader, status, truncated } from "../wire/faults.ts";
import { textsOf } from "../wire/texts-of.ts";
import { API_KEY, clientOf, freshName, sourceDeployment, useWorld } from "./rig.ts";

const world = useWorld();
const PUT = { method: "PUT" };
const ASK = { method: "POST", path: /\/upload-url$/ };
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

async function uploading(options = {}) {
  const it = await world();
  const client = clientOf(it.front, options);
  const { deployment } = await client.plane.create(sourceDeployment(freshName()));
  return { ...it, ...client, id: deployment.id };
}

/** A control plane that hands out this upload target. */
const targeting =
  (target: object): Handler =>
  () => ({ status: 200, body: target });

describe("the file", () => {
  test("arrives whole, with its length, and its path is the one of the answer", async () => {
    const { service, store, plane, id, tarball } = await uploading();
    const path = await plane.upload(id, tarball);
    expect(await readFile(service.objectFile(path) ?? "")).toEqual(await readFile(tarball.file));
    expect(
      store.requests.map(({ method, headers }) => [method, headers["content-length"], headers["content-type"]]),
    ).toEqual([["PUT", String(tarball.bytes), "application/gzip"]]);
  });

  test.each([
    ["reset before it is processed", resetBefore],
    ["reset after it is processed", resetAfter],
    ["answered by half", truncated],
    ["answered with 503", status(503)],
    ["answered with 429", status(429)],
    ["answered by the page of a portal", htmlPage],
  ])("is opened and sent again from its start when it is %s", async (_how, fault) => {
    const { store, plane, id, tarball } = await uploading();
    store.script(PUT, fault);
    await plane.upload(id, tarball);
    const digests = store.requests.map(({ body }) => createHash("sha256").update(body).digest("hex"));
    const digest = createHash("sha256")
      .update(await readFile(tarball.file))
      .digest("hex");
    expect(digests).toEqual([digest, digest]);
  });

  test("that is gone is an error that says so", async () => {
    const { plane, id, tarball } = await uploading();
    const error = await caught(plane.upload(id, { file: `${tarball.file}.gone`, bytes: 5 }));
    expect(error).toMatchObject({
      code: "NETWORK",
      message: expect.stringContaining("the file to send is gone (ENOENT)"),
    });
  });
});

describe("an address that has expired", () => {
  test("is renewed once, and the path is that of the new one", async () => {
    const { service, front, store, plane, id, tarball } = await uploading();
    service.faults.add(uploadRefused());
    const path = await plane.upload(id, tarball);
    expect([front.count(ASK), store.count(PUT)]).toEqual([2, 2]);
    expect(store.requests.at(-1)?.path).toBe(`/objects/${path}`);
    expect(store.requests.at(0)?.path).not.toBe(`/objects/${path}`);
    expect(service.objectFile(path)).toBeDefined();
  });

  test("twice is an error without the signature", async () => {
    const { service, front, store, plane, id, tarball } = await uploading();
    service.faults.add(uploadRefused(2));
    const error = await caught(plane.upload(id, tarball));
    expect(error).toMatchObject({ code: "HTTP_STATUS", status: 403, message: expect.stringContaining("PUT http") });
    expect(error).toMatchObject({ advice: expect.stringContaining("upload address") });
    expect([front.count(ASK), store.count(PUT)]).toEqual([2, 2]);
    const signatures = store.requests.map(({ query }) => query.get("signature") ?? "none");
    for (const signature of signatures) expect(textsOf(error).join("\n")).not.toContain(signature);
  });

  test.each([
    ["AccessDenied", "Request has expired", /check the clocks/, "UPLOAD_ADDRESS_REFUSED"],
    ["RequestTimeTooSkewed", "The difference is too large.", /check the clocks/, "UPLOAD_ADDRESS_REFUSED"],
    [
      "SignatureDoesNotMatch",
      "The signatures differ.",
      /^(?!.*clock).*API key plays no part/,
      "UPLOAD_ADDRESS_REFUSED",
    ],
    ["EntityTooLarge", "Your upload exceeds it.", /of this size/, "BODY_TOO_LARGE"],
  ])("or another refusal is shown by the code of the store: %s", async (code, message, advice, reason) => {
    const { front, store, plane, id, tarball } = await uploading();
    const { pathname, search } = new URL((await plane.uploadUrl(id)).upload_url);
    const signed = `<StringToSign>${pathname}${search}</StringToSign>`;
    const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message>${signed}</Error>`;
    store.script(PUT, status(403, { body, headers: { "content-type": "application/xml" } }), 2);
    const error = await caught(plane.upload(id, tarball));
    expect(error).toMatchObject({ status: 403, reasons: [reason], advice: expect.stringMatching(advice) });
    expect(error).toHaveProperty("message", `PUT ${store.url}/*** returned 403: ${code}: ${message}`);
    expect([front.count(ASK), store.count(PUT)]).toEqual([3, 2]);
  });

  test("is noticed when the store refuses in the middle of the upload and hangs up", async () => {
    const { store, plane, id, tarball } = await uploading();
    const large = join(tarball.file, "..", "large.tar.gz");
    await writeFile(large, Buffer.alloc(24 * 1024 * 1024, "x"));
    store.script(PUT, earlyRefusal, 2);
    const error = await caught(plane.upload(id, { file: large, bytes: 24 * 1024 * 1024 }));
    expect(error).toMatchObject({ code: "HTTP_STATUS", status: 403 });
    expect(store.count(PUT)).toBe(2);
  });
});

describe("the headers of the upload", () => {
  const TARGET = { object_path: "sources/1.tar.gz" };

  async function sentTo(query: string, more: object = {}) {
    const { tarball } = await world();
    const store = await startFaultServer(() => ({ status: 200 }));
    const front = await startFaultServer(targeting({ ...TARGET, upload_url: `${store.url}/o?${query}`, ...more }));
    await clientOf(front).plane.upload("d-1", tarball);
    const [sent] = store.requests;
    if (sent === undefined) throw new Error("Nothing was uploaded.");
    return sent;
  }

  test("hold no credential of ours, and the address is used as it was given", async () => {
    const { headers, target } = await sentTo("a=1&X-Goog-Signature=abc%2Fdef");
    expect(Object.keys(headers).sort()).toEqual(["connection", "content-length", "content-type", "host"]);
    expect(target).toBe("/o?a=1&X-Goog-Signature=abc%2Fdef");
    expect(JSON.stringify(headers)).not.toContain(API_KEY);
  });

  test("hold the range that was signed", async () => {
    const { headers } = await sentTo("X-Goog-SignedHeaders=content-type%3Bhost%3Bx-goog-content-length-range");
    expect(headers).toMatchObject({ "x-goog-content-length-range": "0,209715200" });
  });

  test("are those of the answer where it names some", async () => {
    const { headers } = await sentTo("X-Goog-SignedHeaders=host%3Bx-goog-content-length-range", {
      upload_headers: {
        "Content-Type": "application/octet-stream",
        "x-amz-tagging": "a=b",
        "Content-Length": "1",
        Host: "evil",
      },
    });
    expect(headers).toMatchObject({ "content-type": "application/octet-stream", "x-amz-tagging": "a=b" });
    expect(headers).not.toHaveProperty("x-goog-content-length-range");
    expect(headers["content-length"]).not.toBe("1");
    expect(headers["host"]).toMatch(/^127\.0\.0\.1:/);
  });

  test("satisfy a store that signed some of its own", async () => {
    const { service, plane, id, tarball } = await uploading();
    service.faults.conditions.uploadHeaders = { "x-amz-server-side-encryption": "aws:kms" };
    await expect(plane.upload(id, tarball)).resolves.toMatch(/^sources\//);
  });
});

describe("an upload address", () => {
  test.each([
    "http://store.example/o",
    "ftp://store.example/o",
    "https://user:pass@store.example/o",
    "store.example/o",
    "",
  ])("like %s is refused, and the file stays here", async (uploadUrl) => {
    const { tarball } = await world();
    const front = await startFaultServer(targeting({ upload_url: uploadUrl, object_path: "x" }));
    expect(await caught(clientOf(front).plane.upload("d-1", tarball))).toMatchObject({
      code: "ADDRESS",
      message: expect.stringMatching(/^The service gave out an upload address that cannot be used: the address of/),
    });
  });

  test("has its signature masked, and its ordinary words left alone", async () => {
    const { tarball } = await world();
    const told: string[] = [];
    const redactor = new Redactor((value) => told.push(value));
    const store = await startFaultServer(() => ({ status: 200 }));
    const signature = "0123456789abcdef0123456789abcdef";
    const query = `X-Goog-SignedHeaders=host&X-Goog-Expires=3600&X-Goog-Signature=${signature}`;
    const front = await startFaultServer(targeting({ upload_url: `${store.url}/o?${query}`, object_path: "x" }));
    await clientOf(front, { redactor }).plane.upload("d-1", tarball);
    expect(told).toContain(signature);
    expect(told).not.toContain("host");
    expect(told).not.toContain("3600");
  });
});

test("progress grows within each attempt, and starts again with each", { tags: "slow" }, async () => {
  const { store, plane, id, tarball } = await uploading();
  const bytes = 14 * 1024 * 1024;
  const large = join(tarball.file, "..", "slow.tar.gz");
  await writeFile(large, Buffer.alloc(bytes, "y"));
  const slow = slowReader(5);
  // The first attempt is cut after it was read slowly, the second goes through as slowly.
  store.script(PUT, { ...slow, ...resetAfter });
  store.script(PUT, slow);
  const seen: number[] = [];
  await plane.upload(id, { file: large, bytes }, { onProgress: (sent) => seen.push(sent) });
  expect(seen.length).toBeGreaterThanOrEqual(2);
  expect(seen.every((sent) => sent >= 0 && sent <= bytes)).toBe(true);
  const drops = seen.filter((sent, index) => sent < (seen[index - 1] ?? 0));
  expect(drops.length).toBeLessThanOrEqual(1);
  expect(store.requests.map(({ body }) => body.length)).toEqual([bytes, bytes]);
});
