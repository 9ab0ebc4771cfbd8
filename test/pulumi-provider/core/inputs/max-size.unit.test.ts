import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { check } from "../../../../pulumi-provider/core/check/check.ts";
import { maxBytesOf, maxSizeFault, sizeFault } from "../../../../pulumi-provider/core/inputs/max-size.ts";
import { create } from "../../../../pulumi-provider/core/operations/update.ts";
import { PROJECT, temporaryTree, writeNodes } from "../../../source/temporary-tree.ts";
import { context, DIRECTORY, IMAGE, STACK } from "../../context.ts";
import { rig } from "../../rig.ts";

const settings = (size: string | undefined) => ({
  config: (key: string) => (key === "graph-deploy:maxSize" ? size : undefined),
});

test("the limit is that of the configuration, else the default", () => {
  expect([undefined, " ", "1KiB", " 5 "].map((size) => maxBytesOf(settings(size)))).toEqual([
    209_715_200, 209_715_200, 1_024, 5,
  ]);
  expect(["big", "0", "-1", "1KiB"].map(sizeFault)).toEqual([...Array(3).fill(expect.any(String)), undefined]);
  expect(maxSizeFault(settings(undefined))).toBeUndefined();
});

test("a limit that is no size is a fault of the resource that it would limit", async () => {
  const programDirectory = temporaryTree(PROJECT);
  const setting = context({ config: { ...STACK, "graph-deploy:maxSize": "big" }, programDirectory });
  const { failures } = await check({}, DIRECTORY, setting);
  expect(failures).toEqual([{ property: "", reason: expect.stringMatching(/^graph-deploy:maxSize is not a valid/) }]);
  expect((await check({}, IMAGE, setting)).failures).toEqual([]);
});

test("an archive above the limit is refused before the first request that writes", { tags: "slow" }, async () => {
  const { service, operation, checked, programDirectory } = await rig();
  writeNodes(programDirectory, { "model.bin": randomBytes(4_096) });
  const limited = { ...operation, ...settings("4KiB") };
  await expect(create(await checked(DIRECTORY), limited)).rejects.toMatchObject({ code: "SOURCE_TOO_LARGE" });
  expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  const { properties } = await create(await checked(DIRECTORY), { ...operation, ...settings("8KiB") });
  expect(properties).toMatchObject({ status: "DEPLOYED" });
});
