import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";
import { GIVEN_FILES, givenOptions } from "../../scripts/given-options.ts";
import { DEPLOY_OPTIONS } from "../../src/deployment/options.ts";

test.each(GIVEN_FILES)(
  "the types of what a program gives stand in %s as `npm run docs` writes them",
  { tags: "slow" },
  async (file) => {
    expect(readFileSync(join(projectRoot, file), "utf8")).toBe(await givenOptions(file));
  },
);

test("an option names only options that are there, and its default can be read", () => {
  const names = Object.keys(DEPLOY_OPTIONS);
  for (const [name, option] of Object.entries(DEPLOY_OPTIONS)) {
    const { notWith = [], with: needed = name } = { with: undefined, notWith: undefined, ...option };
    expect(
      [...notWith, needed].filter((other) => !names.includes(other)),
      name,
    ).toEqual([]);
    expect(option.parse("").fault, name).toBeUndefined();
  }
});

describe("the configuration file", () => {
  const { graphConfig } = DEPLOY_OPTIONS;

  test("is read in its plain form from a text and from a value", () => {
    expect(graphConfig.parse("a//b/../graph.json")).toEqual({ value: "a/graph.json" });
    expect(graphConfig.kind.shape().parse("a//b/../graph.json")).toBe("a/graph.json");
  });

  test("lies in the project", () => {
    expect(graphConfig.parse("../graph.json").fault).toBe('"../graph.json" is outside the project');
    expect(graphConfig.kind.shape().safeParse("../graph.json").error?.issues[0]?.message).toBe(
      "is outside the project",
    );
  });
});
