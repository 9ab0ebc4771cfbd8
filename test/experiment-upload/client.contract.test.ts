import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  ExperimentNameTakenError,
  ExperimentNotUploadedError,
  ExperimentTooLargeError,
} from "../../src/experiment-upload/errors.ts";
import { startLocalService } from "../../src/local/index.ts";
import { read, ready, uploads } from "./rig.ts";

const TERMS = { timeoutMilliseconds: 60_000 };
const RESULTS = join(import.meta.dirname, "../fixtures/results/jsonl/names.jsonl");

async function begin() {
  const service = await startLocalService({ experimentDelayMilliseconds: 0 });
  onTestFinished(() => service.close());
  const experiment = ready("first", await read([RESULTS]));
  const posts = () => service.requests.filter(({ method }) => method === "POST").length;
  return { service, experiment, posts };
}

describe("an upload", () => {
  test.each(["", "/", "/api/v1", "/api/v1/", "/api"])(
    "reaches the service at its address with %j behind it",
    async (path) => {
      const { service, experiment } = await begin();
      expect(await uploads(service.url + path).upload(experiment, TERMS)).toMatchObject({ wasSent: true });
    },
  );

  test("of a name that is taken says so", async () => {
    const { service, experiment, posts } = await begin();
    const client = uploads(service.url);
    await client.upload(ready("first", await read([RESULTS]), "76:ab"), TERMS);
    await expect(client.upload(experiment, TERMS)).rejects.toThrow(ExperimentNameTakenError);
    expect(posts()).toBe(2);
  });

  test("that was cut before it was stored is sent again, where the list shows that it is not stored", async () => {
    const { service, experiment } = await begin();
    await uploads(service.url).upload(ready("another", await read([RESULTS])), TERMS);
    service.faults.add({ match: { method: "POST" }, do: { kind: "reset" } });
    expect(await uploads(service.url).upload(experiment, TERMS)).toMatchObject({ wasSent: true });
  });

  test("whose line is cut before its end is not stored, and says what may be the matter", async () => {
    const server = createServer((socket) => {
      socket.once("data", () => socket.destroy());
      socket.on("error", () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const block = Buffer.alloc(1024 * 1024, " ");
    const body = { bytes: 64 * block.length, open: () => Readable.from(Array.from({ length: 64 }, () => block)) };
    const error: unknown = await uploads(`http://127.0.0.1:${String(port)}`)
      .upload({ name: "large", rows: 7, body }, TERMS)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ExperimentNotUploadedError);
    expect(String(error)).toContain('The experiment "large" was not uploaded: POST http://127.0.0.1');
    expect(error).toMatchObject({ advice: expect.stringContaining("67.1 MB"), reasons: ["MANY_ROWS"] });
  });

  test("that is too large names its size and rows", async () => {
    const { service, experiment } = await begin();
    service.faults.add({ match: { method: "POST" }, do: { kind: "answer", status: 413 } });
    const error: unknown = await uploads(service.url)
      .upload(experiment, TERMS)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ExperimentTooLargeError);
    expect(String(error)).toMatch(/refuses the experiment "first" as too large: .* with 4 rows\.$/);
    expect(error).toMatchObject({ reasons: ["MANY_ROWS"] });
  });

  test("that is too large with one row is not to be split", async () => {
    const { service, experiment } = await begin();
    service.faults.add({ match: { method: "POST" }, do: { kind: "answer", status: 413 } });
    await expect(uploads(service.url).upload({ ...experiment, rows: 1 }, TERMS)).rejects.toMatchObject({
      advice: "It has only one row, so it cannot be split: make the row smaller.",
    });
  });
});
