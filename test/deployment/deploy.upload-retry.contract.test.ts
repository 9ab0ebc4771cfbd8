import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deploy, type DeployEvent } from "../../src/index.ts";
import { rig } from "./rig.ts";

test.each([1, 3])("an upload that fails %d times is sent from the spool, which is packed once", async (times) => {
  const { service, request, deps, spool } = await rig();
  service.faults.add({ match: { method: "PUT" }, times, do: { kind: "answer", status: 503 } });
  const seen: string[] = [];
  const emit = ({ type }: DeployEvent) => {
    if (type === "source-packed" || type === "uploaded") seen.push(`${type} ${identities(spool)}`);
  };
  expect(await deploy(request(), { ...deps, emit })).toMatchObject({ outcome: "deployed" });
  const [packed = "", ...later] = seen;
  expect(packed).toMatch(/^source-packed \d+ \d+ \d+$/);
  expect(later).toEqual([packed.replace("source-packed", "uploaded")]);
  const puts = service.requests.filter(({ method }) => method === "PUT");
  expect(puts.map(({ status }) => status)).toEqual([...Array<number>(times).fill(503), 200]);
});

/** The files in a folder, each as what changes when one is written or made again: inode, length, time of change. */
function identities(folder: string): string {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => statSync(join(folder, name)));
  const files = found.filter((entry) => entry.isFile());
  return files.map(({ ino, size, ctimeMs }) => `${ino} ${size} ${Math.trunc(ctimeMs * 1000)}`).join("; ");
}
