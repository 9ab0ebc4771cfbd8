import { describe, expect, test } from "vitest";
import { checkSmokeRun, checkSource } from "../../src/deployment/option-rules.ts";
import type { DeploySource } from "../../src/deployment/request.ts";

const IMAGE: DeploySource = { source: "external_docker", imageUri: "agent:1" };
const BRANCH: DeploySource = { source: "github", repoRef: "refs/heads/main", graphConfig: "graph.json" };

describe("the rules of a source", () => {
  test("name the option that sets a field, and the key of a setting", () => {
    const sourceConfig = { build_on_push: "yes" };
    expect(checkSource(BRANCH, { sourceConfig }).map(({ field, key }) => [field, key])).toEqual([
      ["sourceConfig", "build_on_push"],
      ["repoRef", undefined],
    ]);
    expect(checkSource(undefined, { sourceConfig })).toMatchObject([{ field: "sourceConfig" }]);
  });

  test("hold the source to the digest that it must have", () => {
    const expectedDigest = `sha256:${"a".repeat(64)}`;
    expect(checkSource(IMAGE, { sourceConfig: {}, expectedDigest })).toMatchObject([{ field: "expectedDigest" }]);
    expect(checkSource(undefined, { sourceConfig: {}, expectedDigest })).toEqual([]);
  });

  test("are those of the earlier revision where one is deployed again", () => {
    expect(checkSource({ source: "revision", revision: "previous" }, { sourceConfig: { build_on_push: 1 } })).toEqual(
      [],
    );
  });
});

test("a run that tries the agent needs the smoke test and the wait, and expectations that can be read", () => {
  const faults = checkSmokeRun(["$.answer"], { smokeTest: false, wait: false }, "a step");
  expect(faults.map(({ field, message }) => `${field} ${message}`)).toEqual([
    expect.stringMatching(/^smokeExpect "\$\.answer" must be/),
    "smokeInput needs the smoke test; remove `smokeTest: false`",
    "smokeInput needs a step that waits; remove `wait: false`",
  ]);
  expect(checkSmokeRun(["text"], undefined, "a step")).toEqual([]);
});
