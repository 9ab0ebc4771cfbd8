import { expect, test } from "vitest";
import {
  checkSourceConfig,
  DeploymentPatch,
  ListedRevision,
  LogPage,
  listPage,
} from "../../src/contract/deployment.ts";

test("a line of a log without a text is passed over, and the others stay", () => {
  const logs = [{ message: "a", level: 7 }, { level: "INFO" }, "x", { message: "" }];
  expect(LogPage.parse({ logs }).logs.map(({ message, level }) => [message, level])).toEqual([
    ["a", undefined],
    ["", undefined],
  ]);
});

test("a revision is found in a list whatever its status is", () => {
  const page = listPage(ListedRevision).parse({ resources: [{ id: "r" }, { id: "s", status: 7 }], more: 1 });
  expect(page.resources.map(({ id, status }) => [id, status])).toEqual([
    ["r", "UNKNOWN"],
    ["s", "UNKNOWN"],
  ]);
});

test("an update may leave everything out, and a secret has a name", () => {
  expect(DeploymentPatch.parse({})).toEqual({});
  expect(DeploymentPatch.safeParse({ secrets: null, source_revision_config: null }).success).toBe(true);
  expect(DeploymentPatch.safeParse({ secrets: [{ name: "", value: "x" }] }).success).toBe(false);
});

test("a setting of a source that is known has its type or null, and the service may take more of them", () => {
  const settings = { build_on_push: false, install_command: "make", custom_url: null, cpu: { cores: 2 } };
  expect(checkSourceConfig(settings)).toEqual([]);
  expect(
    checkSourceConfig({ build_on_push: "yes", build_command: ["make"] }).map(({ loc, msg }) => [loc, msg]),
  ).toEqual([
    [["source_config", "build_on_push"], "must be true or false, without quotes"],
    [["source_config", "build_command"], "must be text"],
  ]);
});
