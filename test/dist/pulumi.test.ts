import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { SmallStack } from "../engine/small-stack.ts";
import { fillCompileCache } from "../pulumi/compile-cache.ts";
import { Stage } from "../pulumi/stage.ts";
import { DYNAMIC, TABLE } from "../pulumi/table.ts";
import { BuiltPackage } from "./built-package.ts";

let built: BuiltPackage;
let packages: string;
beforeAll(async () => {
  built = await BuiltPackage.create();
  packages = join(built.directory, "node_modules");
  await fillCompileCache(packages);
});
afterAll(async () => built.remove());

// The whole table takes minutes: `npm run test:pulumi`.
const FIVE = [
  "an up deploys a folder, an image and a repository, and a second one asks for nothing",
  "a changed file makes exactly one revision of the same deployment",
  "a build that fails keeps the deployment, and the next up makes one revision of it",
  "a refresh finds a revision of somebody else, and the next up deploys over it",
  "an up that is interrupted in its wait ends at once, and the next one takes up the same revision",
];

test.concurrent.each(FIVE)("%s", async (name) => {
  const found = TABLE.find((one) => one.name === name);
  if (found === undefined) throw new Error("The table has no such case.");
  const open = async (...[options]: ConstructorParameters<typeof SmallStack>) => new SmallStack(options);
  await using stage = await Stage.open({ packages, type: DYNAMIC, open, setting: found.setting });
  await found.run(stage);
  await stage.expectNoLeak();
});
