import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkSourceOfCreate,
  checkSourceOfPatch,
  isSource,
  makesRevision,
  REVISION_CONFIG_FIELDS,
  SOURCE_RULES,
  SOURCES,
  type RevisionConfigField,
  type RevisionConfigInput,
  type Source,
} from "../../src/contract/source.ts";

const VALUES: Readonly<Record<RevisionConfigField, string>> = {
  repo_ref: "main",
  graph_config_path: "graph.json",
  image_uri: "registry/agent:1",
  source_tarball_path: "sources/1/2.tar.gz",
};
const FOR_CREATE: Readonly<Record<Source, RevisionConfigInput>> = {
  github: { repo_ref: "main", graph_config_path: "graph.json" },
  external_docker: { image_uri: "registry/agent:1" },
  internal_docker: {},
  internal_source: { graph_config_path: "graph.json" },
};
/** The contract of the API: which field belongs to which source. */
const BELONGS: Readonly<Record<RevisionConfigField, readonly Source[]>> = {
  repo_ref: ["github"],
  graph_config_path: ["github", "internal_source"],
  image_uri: ["external_docker"],
  source_tarball_path: ["internal_source"],
};

const fieldsOf = (violations: readonly { loc: readonly (string | number)[] }[]) =>
  violations.map(({ loc }) => loc.join("."));

describe.each(SOURCES)("a deployment from %s", (source) => {
  test("is created with what it needs", () => {
    expect(checkSourceOfCreate({ source, source_config: {}, source_revision_config: FOR_CREATE[source] })).toEqual([]);
  });

  test.each(REVISION_CONFIG_FIELDS)("takes %s exactly when the contract of the API says so", (field) => {
    const violations = checkSourceOfPatch({ source, source_revision_config: { [field]: VALUES[field] } });
    const expected = BELONGS[field].includes(source) ? [] : [`source_revision_config.${field}`];
    expect(fieldsOf(violations)).toEqual(expected);
  });

  test("takes null for each field that is not its own", () => {
    const nulls = Object.fromEntries(REVISION_CONFIG_FIELDS.map((field) => [field, null]));
    expect(checkSourceOfPatch({ source, source_revision_config: nulls })).toEqual([]);
  });

  test("says every violation at once", () => {
    const violations = checkSourceOfCreate({
      source,
      source_revision_config: { ...VALUES, graph_config_path: undefined },
    });
    const { fields, requiredOnCreate } = SOURCE_RULES[source];
    const foreign = REVISION_CONFIG_FIELDS.filter((field) => field !== "graph_config_path" && !fields.includes(field));
    expect(new Set(fieldsOf(violations))).toEqual(
      new Set([
        ...foreign.map((field) => `source_revision_config.${field}`),
        ...requiredOnCreate.map((field) => `source_revision_config.${field}`),
        ...(source === "internal_source" ? ["source_revision_config.source_tarball_path"] : []),
      ]),
    );
  });
});

test.each(["github", "internal_source"] as const)("%s needs a configuration path that is not empty", (source) => {
  for (const path of [undefined, null, ""]) {
    const violations = checkSourceOfCreate({ source, source_revision_config: { graph_config_path: path } });
    const type = path === "" ? "value_error" : "missing";
    expect(violations).toMatchObject([{ loc: ["source_revision_config", "graph_config_path"], type }]);
  }
  expect(checkSourceOfPatch({ source, source_revision_config: { graph_config_path: "" } })).toHaveLength(1);
  expect(checkSourceOfPatch({ source, source_revision_config: {} })).toEqual([]);
});

test("a tarball path cannot be known when a deployment is created", () => {
  const config = { graph_config_path: "graph.json", source_tarball_path: "sources/guess.tar.gz" };
  const [violation] = checkSourceOfCreate({ source: "internal_source", source_revision_config: config });
  expect(violation?.msg).toContain("upload-url");
});

describe("a Git ref", () => {
  const check = (repoRef: string, buildOnPush?: unknown) =>
    fieldsOf(
      checkSourceOfPatch({
        source: "github",
        source_config: { build_on_push: buildOnPush },
        source_revision_config: { repo_ref: repoRef },
      }),
    );

  test.each([
    ["refs/tags/v1", false, []],
    ["refs/tags/v1", true, ["source_config.build_on_push"]],
    ["refs/tags/v1", undefined, []],
    ["refs/tags/v1", null, ["source_config.build_on_push"]],
    // Its type is another rule.
    ["refs/tags/v1", "false", []],
    ["v1", undefined, []],
    ["tags/v1", undefined, []],
    ["main", true, []],
    ["main", undefined, []],
    ["release/1.x", undefined, []],
    ["refs/heads/main", undefined, ["source_revision_config.repo_ref"]],
  ])("%s with build_on_push %s", (repoRef, buildOnPush, fields) => {
    expect(check(repoRef, buildOnPush)).toEqual(fields);
  });

  test.each([
    [undefined, ["source_config.build_on_push"]],
    [null, ["source_config.build_on_push"]],
    [true, ["source_config.build_on_push"]],
    [false, []],
  ])("that is a tag, with build_on_push %s, is created by what is sent alone", (push, fields) => {
    const config = { repo_ref: "refs/tags/v1", graph_config_path: "graph.json" };
    const settings = {
      source: "github",
      source_config: { build_on_push: push },
      source_revision_config: config,
    } as const;
    expect(fieldsOf(checkSourceOfCreate(settings))).toEqual(fields);
  });

  describe("of an update is judged together with what the deployment has:", () => {
    const TAG = { repo_ref: "refs/tags/v1" };
    const BROKEN = ["source_config.build_on_push"];

    test.each([
      ["the setting alone, on a tag", { push: true }, { ref: TAG }, BROKEN],
      ["the setting alone taken back, on a tag", { push: null }, { ref: TAG, push: false }, BROKEN],
      ["the setting alone, on a branch", { push: true }, { ref: { repo_ref: "main" } }, []],
      ["the setting alone, and a ref that is not known", { push: true }, {}, []],
      ["a setting that is right, on a tag", { push: false }, { ref: TAG }, []],
      ["a tag alone, where the setting is on", { ref: TAG }, { push: true }, BROKEN],
      ["a tag alone, where the setting is shown as not set", { ref: TAG }, { push: null }, BROKEN],
      ["a tag alone, where the setting is off", { ref: TAG }, { push: false }, []],
      ["a tag alone, and a setting that is not known", { ref: TAG }, {}, []],
      ["a tag and the setting, whatever was there", { ref: TAG, push: false }, { push: true }, []],
      ["a branch, where a tag was", { ref: { repo_ref: "main" }, push: true }, { ref: TAG }, []],
      ["neither of them, where both are wrong", {}, { ref: TAG, push: true }, []],
    ] as const)("%s", (_, sent, has, fields) => {
      const settingsOf = ({ ref, push }: { ref?: RevisionConfigInput; push?: boolean | null }) => ({
        source_config: push === undefined ? {} : { build_on_push: push },
        source_revision_config: ref,
      });
      const violations = checkSourceOfPatch({ source: "github", ...settingsOf(sent), current: settingsOf(has) });
      expect(fieldsOf(violations)).toEqual(fields);
    });
  });

  test("a branch in full is answered with its bare name", () => {
    const settings = { source: "github", source_revision_config: { repo_ref: "refs/heads/release/1" } } as const;
    expect(checkSourceOfPatch(settings)[0]?.msg).toBe("must be the bare name of the branch: release/1");
  });
});

test("an update makes a revision exactly when one of the four fields is not null", () => {
  const value = fc.constantFrom(null, undefined, "", "x");
  const configs = fc.record(
    { repo_ref: value, graph_config_path: value, image_uri: value, source_tarball_path: value, repo_commit_sha: value },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(configs, (config) => {
      const given = REVISION_CONFIG_FIELDS.some((field) => typeof config[field] === "string");
      expect(makesRevision(config)).toBe(given);
    }),
  );
  expect(makesRevision(undefined)).toBe(false);
  expect(makesRevision(null)).toBe(false);
});

test("each source is offered where the contract of the API says so", () => {
  expect(SOURCE_RULES.github.editions).toEqual(["cloud"]);
  expect(SOURCE_RULES.external_docker.editions).toEqual(["self-hosted"]);
  expect(SOURCE_RULES.internal_docker.editions).toEqual(["cloud", "self-hosted"]);
  expect(SOURCE_RULES.internal_source.editions).toEqual(["cloud", "self-hosted"]);
});

test.each(["toString", "__proto__", "GITHUB", "", "docker"])("%j is no source", (text) => {
  expect(isSource(text)).toBe(false);
});
