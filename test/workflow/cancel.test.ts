import { expect, test } from "vitest";
import { example, needsAct, rig } from "./rig.ts";

needsAct();

test("the post step removes the archive that a run left when it was ended by force", async () => {
  const { start, service, temporary } = await rig([await example("deploy.yml")]);
  const upload = service.faults.add({ match: { method: "PUT" }, do: { kind: "stall" } });
  const { result, cancel } = start();
  await expect.poll(() => upload.hits, { timeout: 30_000 }).toBe(1);
  expect(await temporary()).toContainEqual(expect.stringContaining("graph-deploy-spool-"));
  cancel();
  const { exitCode, log } = await result;
  expect(exitCode).not.toBe(0);
  expect(log.stages().slice(-2)).toEqual(["Main Say how it ended: success", "Post OWNER/graph-deploy@v1: success"]);
  expect((await temporary()).filter((path) => path.includes("graph-deploy"))).toEqual([]);
});
