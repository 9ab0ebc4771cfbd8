import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../../scripts/command.ts";
import { DECLARED_INPUTS } from "../../../scripts/declared-inputs.ts";
import { FACTS, type Release } from "../../../scripts/release/facts.ts";
import { PLACEHOLDER, repositoryName } from "../../../scripts/release/repository.ts";
import { VERSION } from "../../../src/version.ts";
import { readActionFile } from "../../runner/action-file.ts";

function look(name: string, release: Partial<Release> = {}) {
  const fact = FACTS.find((one) => one.name === name);
  if (fact === undefined) throw new Error(`There is no fact ${name}.`);
  return fact.look({ tag: "", repository: "", ...release });
}

test("a tag must be the version, and none is not one yet", { tags: "slow" }, async () => {
  expect((await look("tag")).todo).toBe("");
  expect((await look("tag", { tag: `v${VERSION}` })).todo).toBe("");
  for (const tag of [VERSION, "v0.9.9", `v${VERSION}-rc.1`]) {
    expect((await look("tag", { tag })).todo).toBe(`package.json says v${VERSION}`);
  }
});

test("a repository without an owner cannot release", { tags: "slow" }, async () => {
  const isNamed = !repositoryName().startsWith(`${PLACEHOLDER}/`);
  expect((await look("owner")).todo).toBe(isNamed ? "" : "npm run release:owner -- NAME");
  expect((await look("owner", { repository: "somebody/graph-deploy" })).todo).not.toBe("");
});

test.each(["version", "changelog", "inputs", "schemas", "archive"])(
  "the %s of the project is right",
  { tags: "slow" },
  async (name) => {
    expect(await look(name)).toMatchObject({ todo: "" });
  },
);

test("a runner downloads what it executes and what a person looks for, and no source", { tags: "slow" }, async () => {
  const tar = execFileSync("git", ["archive", "HEAD"], { cwd: projectRoot, maxBuffer: 100_000_000 });
  const listed = execFileSync("tar", ["-tf", "-"], { input: tar, encoding: "utf8" }).split("\n");
  const files = listed.filter((path) => path !== "" && !path.endsWith("/"));
  const started = await Promise.all(
    [...DECLARED_INPUTS.keys()].map(async (file) => {
      const { main, post } = await readActionFile(join(projectRoot, file));
      return [file, ...[main, post ?? main].map((path) => path.slice(projectRoot.length + 1).replaceAll("\\", "/"))];
    }),
  );
  expect(files).toEqual(
    expect.arrayContaining([...started.flat(), "LICENSE", "README.md", "action/dist/licences.txt"]),
  );
  const built = execFileSync("git", ["ls-files", "action/dist"], { cwd: projectRoot, encoding: "utf8" })
    .trim()
    .split("\n");
  expect(files.filter((path) => path.startsWith("action/dist/"))).toEqual(built);
  expect(files.filter((path) => !/^action\/dist\/|\.(md|yml)$|^LICENSE$/.test(path))).toEqual([]);
});
