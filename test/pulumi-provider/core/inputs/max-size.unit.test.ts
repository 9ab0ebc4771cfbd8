import { expect, test } from "vitest";
import { check } from "../../../../pulumi-provider/core/check/check.ts";
import { maxBytesOf, maxSizeFault, sizeFault } from "../../../../pulumi-provider/core/inputs/max-size.ts";
import { PROJECT, temporaryTree } from "../../../source/temporary-tree.ts";
import { context, DIRECTORY, IMAGE, STACK } from "../../context.ts";

const settings = (size: string | undefined) => ({
  config: (key: string) => (key === "graph-deploy:maxSize" ? size : undefined),
});

test("the limit is that of the configuration, else the default", () => {
  expect([undefined, " ", "1KiB", " 5 "].map((size) => maxBytesOf(settings(size)))).toEqual([
    209_715_200, 209_715_200, 1_024, 5,
  ]);
  expect(["big", "0", "-1", "1KiB"].map(sizeFault)).toEqual([...Array(3).fill(expect.stringMatching(/./)), ""]);
  expect(maxSizeFault(settings(undefined))).toBe("");
});

test("a limit that is no size is a fault of the resource that it would limit", async () => {
  const programDirectory = temporaryTree(PROJECT);
  const setting = context({ config: { ...STACK, "graph-deploy:maxSize": "big" }, programDirectory });
  const { failures } = await check({}, DIRECTORY, setting);
  expect(failures).toEqual([{ property: "", reason: expect.stringMatching(/^graph-deploy:maxSize is not a valid/) }]);
  expect((await check({}, IMAGE, setting)).failures).toEqual([]);
});
