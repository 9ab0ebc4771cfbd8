import { expect, test } from "vitest";
import { connectTracing } from "../../../src/connection.ts";
import { RunIngest } from "../../../src/tracing/ingest/ingest.ts";

type Callable = (...given: readonly unknown[]) => Promise<void>;

const ID = "0196a3f0-0000-7000-8000-000000000001";

test.each<[method: "patch" | "post", given: readonly unknown[], faults: readonly string[]]>([
  ["patch", [ID], ["`fields` is missing"]],
  ["patch", [ID, null], ["`fields` must be an object"]],
  ["patch", [ID, "a text"], ["`fields` must be an object"]],
  ["patch", [ID, 7], ["`fields` must be an object"]],
  ["patch", [7, {}], ["`id` must be a text"]],
  ["patch", [undefined, null], ["`id` is missing", "`fields` must be an object"]],
  ["patch", [null, { id: ID }], ["`id` must be a text"]],
  ["post", [undefined], ["`run` is missing"]],
  ["post", ["a text"], ["`run` must be an object"]],
  ["post", [{}], ["`run.id` is missing"]],
  ["post", [{ id: 7 }], ["`run.id` must be a text"]],
])("%s of %j rejects with each wrong argument, and hands nothing over", async (method, given, faults) => {
  await using connection = connectTracing({ url: "http://127.0.0.1:9", apiKey: "key-of-the-test-0123456789" });
  const ingest = new RunIngest(connection);
  await expect((ingest[method].bind(ingest) as Callable)(...given)).rejects.toMatchObject({
    code: "ARGUMENTS",
    faults,
  });
  expect(await ingest.flush()).toEqual({ accepted: 0, stored: 0, dropped: 0, rejected: 0, unsent: 0 });
});
