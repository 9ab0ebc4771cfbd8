import { expect, onTestFinished, test } from "vitest";
import { connect, connectTracing, connectUploads } from "../src/index.ts";
import { startLocalService } from "../src/local/index.ts";

test.each([
  ["connect", connect],
  ["connectUploads", connectUploads],
  ["connectTracing", connectTracing],
])("what %s answers has a close beside await using", async (_name, open) => {
  const connection = open({ url: "http://127.0.0.1:9" });
  await connection.close();
  await connection[Symbol.asyncDispose]();
});

test.each([
  ["connect", connect],
  ["connectUploads", connectUploads],
  ["connectTracing", connectTracing],
])("%s without its options says what is missing", (name, open) => {
  const call =
    (...given: unknown[]) =>
    () => {
      Reflect.apply(open, undefined, given);
    };
  expect(call()).toThrow(`${name}: the first argument must be an object.`);
  expect(call({})).toThrow(`${name}: \`url\` is missing.`);
  expect(call({ url: 7, apiKey: null })).toThrow(expect.objectContaining({ code: "ARGUMENTS" }));
  expect(call({ url: "nowhere" })).toThrow(expect.objectContaining({ code: "ADDRESS" }));
});

test("a connection that is closed sends nothing more", async () => {
  const service = await startLocalService();
  onTestFinished(() => service.close());
  const connection = connect({ url: service.url });
  await connection.controlPlane.findByName("support-agent");
  await connection.close();
  const before = service.requests.length;
  await expect(connection.controlPlane.findByName("support-agent")).rejects.toThrow();
  expect(service.requests).toHaveLength(before);
});
