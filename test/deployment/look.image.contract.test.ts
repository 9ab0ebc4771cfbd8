import { expect, test } from "vitest";
import { withRig, rig } from "./rig.ts";

const DIGEST = `sha256:${"1".repeat(64)}`;

test.each([
  ["registry.example:5000/agent", "has no tag"],
  ["registry.example/agent:latest", "has the tag `latest`"],
])("the image %s is warned about, in a dry run and in a deploy, and deployed each time", async (imageUri, message) => {
  const { deploy, dryRun, of, service } = await rig();
  const source = { source: "external_docker", imageUri } as const;
  await dryRun({ source });
  const { deploymentId } = await deploy({ source });
  const warning = { code: "IMAGE_FLOATING", message: expect.stringContaining(message) as string };
  expect(of("warning")).toMatchObject([warning, warning]);
  expect(of("image-tagged")).toEqual([]);
  expect(await deploy({ source })).toMatchObject({ outcome: "deployed" });
  expect(service.revisions(deploymentId)).toHaveLength(2);
});

withRig("the image of another tag gets a line, and no warning", async ({ deploy, of }) => {
  await deploy({ source: { source: "external_docker", imageUri: "registry.example:5000/agent:1.4.2" } });
  expect(of("image-tagged")).toEqual([
    { type: "image-tagged", image: "registry.example:5000/agent:1.4.2", tag: "1.4.2" },
  ]);
  expect(of("warning")).toEqual([]);
});

test.each([`agent@${DIGEST}`, `agent:latest@${DIGEST}`])("the image %s gets neither", async (imageUri) => {
  const { deploy, of } = await rig();
  await deploy({ source: { source: "external_docker", imageUri } });
  expect([...of("warning"), ...of("image-tagged")]).toEqual([]);
});
