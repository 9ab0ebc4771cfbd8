import { expect, test } from "vitest";
import type { ControlPlane } from "../../src/control-plane/client.ts";
import { startFaultServer } from "../wire/fault-server.ts";
import { clientOf } from "./rig.ts";

type Method = "create" | "delete" | "logs" | "patch" | "upload";

const FILE = { file: "a.tar.gz", bytes: 1 };

test.each<[Method, readonly unknown[], string]>([
  ["create", [[]], "`body` must be an object"],
  ["delete", ["d-1", { deleteTracingProject: "true" }], "`deleteTracingProject` must be true or false"],
  ["logs", ["d-1", "r-1", "build", { limit: 0 }], "`limit` must be 1 or more"],
  ["upload", ["d-1", { ...FILE, file: "\0" }], "`file.file` contains a NUL character"],
  ["upload", ["d-1", FILE, { onProgress: 1 }], "`onProgress` must be a function"],
  ["upload", ["d-1", FILE, { lagMilliseconds: "1" }], "`lagMilliseconds` must be a number of milliseconds"],
  ["patch", ["d-1", [], { source: "github" }], "`body` must be an object"],
  ["patch", ["d-1", {}, { source: "github", latestRevisionId: 1 }], "`context.latestRevisionId` must be a text"],
  ["patch", ["d-1", {}, { source: "github", sourceConfig: "a" }], "`context.sourceConfig` must be an object"],
  [
    "patch",
    ["d-1", {}, { source: "github", sourceRevisionConfig: 1 }],
    "`context.sourceRevisionConfig` must be an object",
  ],
  [
    "patch",
    ["d-1", {}, { source: "github", lagMilliseconds: Number.NaN }],
    "`context.lagMilliseconds` must be a number of milliseconds",
  ],
])("%s of %j sends nothing, because of one argument", async (method, given, fault) => {
  const front = await startFaultServer(() => ({ status: 500 }));
  const { plane } = clientOf(front);
  const call = plane[method].bind(plane) as (...given: readonly unknown[]) => ReturnType<ControlPlane["delete"]>;
  await expect(call(...given)).rejects.toMatchObject({ code: "ARGUMENTS", faults: [fault] });
  expect(front.requests).toHaveLength(0);
});
