import { expect, test } from "vitest";
import { REVISION_STATUSES, revisionStatusFact } from "../../../src/contract/revision-status.ts";
import { SOURCES } from "../../../src/contract/source.ts";
import { hasSource, planWalk, stayOf } from "../../../src/local/deployments/walk-plan.ts";

test("a source is built before it is deployed, and an image is not built", () => {
  const built = ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING", "DEPLOYED"];
  for (const source of ["internal_source", "github"] as const) expect(planWalk(source)).toEqual(built);
  for (const source of ["external_docker", "internal_docker"] as const) {
    expect(planWalk(source)).toEqual(built.filter((status) => !status.includes("BUILD")));
  }
});

test("every end comes last, after statuses that are none", () => {
  for (const source of SOURCES) {
    for (const end of REVISION_STATUSES.filter((status) => revisionStatusFact(status).terminal)) {
      const plan = planWalk(source, { end });
      expect(plan.at(-1)).toBe(end);
      expect(plan.slice(0, -1).filter((status) => revisionStatusFact(status).terminal)).toEqual([]);
    }
  }
  expect(planWalk("github", { walk: ["A", "B"] })).toEqual(["A", "B"]);
});

test.each(SOURCES)("the statuses of %s take the whole time, the build most of it", (source) => {
  const stays = planWalk(source)
    .slice(0, -1)
    .map((status) => stayOf(status, source, 1_000));
  expect(stays.reduce((sum, stay) => sum + stay, 0)).toBeCloseTo(1_000);
  expect(Math.max(...stays)).toBe(stayOf(source.endsWith("docker") ? "DEPLOYING" : "BUILDING", source, 1_000));
});

test.each([
  ["internal_source", { source_tarball_path: "a.tar.gz" }, true],
  ["internal_source", { graph_config_path: "graph.json", source_tarball_path: null }, false],
  ["external_docker", { image_uri: "registry/agent:1" }, true],
  ["external_docker", {}, false],
  ["github", {}, true],
] as const)("%s with %j has a source: %s", (source, config, expected) => {
  expect(hasSource(source, config)).toBe(expected);
});
