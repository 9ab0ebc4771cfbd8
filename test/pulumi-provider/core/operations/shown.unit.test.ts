import { expect, test } from "vitest";
import { inputsOf } from "../../../../pulumi-provider/core/operations/request.ts";
import { shownOtherwise } from "../../../../pulumi-provider/core/operations/shown.ts";
import { OTHER_VALUE, SET_OUTSIDE } from "../../../../pulumi-provider/core/state/removals.ts";
import type { Properties } from "../../../../pulumi-provider/core/state/state.ts";
import type { Deployment } from "../../../../src/contract/deployment.ts";
import { DIRECTORY, IMAGE, REPOSITORY } from "../../context.ts";

/** What a service of this answer shows otherwise; the latest revision is not ours unless that is said. */
function shown(
  state: Properties,
  answer: Omit<Deployment, "id">,
  context: { isOurs?: boolean; tarballPath?: string } = {},
) {
  const { isOurs = false, tarballPath } = context;
  return shownOtherwise(state, inputsOf(state), { id: "d", ...answer }, { isOurs, tarballPath, staying: [] });
}

const image = (image_uri: string | null) => ({ source_revision_config: { image_uri } });
const folder = { ...DIRECTORY, graphConfigPath: "graph.json", sourceHash: "sha256:1", sourceSummary: "1 file" };
const archive = (source_tarball_path: string | null) => ({
  source_revision_config: { source_tarball_path, graph_config_path: "graph.json" },
});
const GONE = { sourceHash: null, sourceSummary: null, sourceFiles: null };

test.each([
  ["an image", IMAGE, image("evil:1"), { imageUri: "evil:1" }],
  ["a branch", REPOSITORY, { source_revision_config: { repo_ref: "evil" } }, { repoRef: "evil" }],
  ["an archive", folder, archive("uploads/theirs"), { sourceTarballPath: "uploads/theirs", ...GONE }],
  [
    "a configuration file",
    folder,
    { source_revision_config: { graph_config_path: "evil.json" } },
    { graphConfigPath: "evil.json" },
  ],
])("the source that runs is shown: %s", (_what, state, answer, properties) => {
  expect(shown(state, answer, { tarballPath: "uploads/ours" }).properties).toEqual(properties);
});

test.each([
  ["the same", IMAGE, image(IMAGE.imageUri)],
  ["no source", IMAGE, {}],
  ["a source that is null", IMAGE, { source_revision_config: null }],
  ["an image that is null", IMAGE, image(null)],
  ["an image that is empty", IMAGE, image("")],
  ["no archive", folder, archive(null)],
  ["a field of another source", IMAGE, { source_revision_config: { image_uri: IMAGE.imageUri, repo_ref: "x" } }],
  ["no settings", { ...IMAGE, sourceConfig: { build_command: "x" } }, {}],
  ["other settings", { ...IMAGE, sourceConfig: { build_command: "x" } }, { source_config: { custom_url: "y" } }],
  ["no secrets", { ...IMAGE, secrets: { A: "a" } }, {}],
  ["secrets that are null", { ...IMAGE, secrets: { A: "a" } }, { secrets: null }],
  ["names of secrets", { ...IMAGE, secrets: { A: "a" } }, { secrets: [{ name: "A", value: null }] }],
  ["empty values", { ...IMAGE, secrets: { A: "a" } }, { secrets: [{ name: "A", value: "" }] }],
  ["masks", { ...IMAGE, secrets: { A: "a" } }, { secrets: [{ name: "A", value: "a•••" }] }],
  ["secrets, where the program has none", IMAGE, { secrets: [{ name: "A", value: "a" }] }],
])("what a service does not tell is no difference: %s", (_what, state, answer) => {
  expect(shown(state, answer)).toEqual({ properties: {}, sentences: [] });
});

test("where the archive of our own revision is not known, another one is not recognized", () => {
  expect(shown(folder, archive("uploads/theirs")).properties).toEqual({});
});

test("what our own revision was made from is known, in whatever form a service writes it", () => {
  expect(shown(IMAGE, image("docker.io/r/i:1"), { isOurs: true }).properties).toEqual({});
});

test("of the settings those that the program sets are shown, and the parts of them that it sets", () => {
  const sourceConfig = { resource_spec: { cpu: 1, gpu: 0 }, build_command: "make", install_command: "npm ci" };
  const source_config = { resource_spec: { cpu: 9, memory_mb: 1024 }, build_command: null, custom_url: "https://a" };
  expect(shown({ ...IMAGE, sourceConfig }, { source_config })).toEqual({
    // `gpu` and `install_command` are left out of the answer: nobody knows what they are.
    properties: { sourceConfig: { resource_spec: { cpu: 9, gpu: 0 }, install_command: "npm ci" } },
    sentences: [
      "source_config.resource_spec differs from what was set",
      "source_config.build_command differs from what was set",
    ],
  });
});

test("a secret setting that is shown as a mask is not known", () => {
  const state = { ...IMAGE, sourceConfig: { token: "sk-1" }, secretSettings: ["token"] };
  expect(shown(state, { source_config: { token: "****" } }).properties).toEqual({});
  expect(shown(state, { source_config: { token: "sk-2" } }).properties).toEqual({ sourceConfig: { token: "sk-2" } });
});

test("the names of secrets are shown, and no value that is not the program's", () => {
  const state = {
    ...IMAGE,
    secrets: { KEPT: "k", LOST: "l", OTHER: "ours" },
    secretsFromEnv: { GONE: "V", THERE: "W" },
  };
  const secrets = [
    { name: "KEPT", value: "k" },
    { name: "OTHER", value: "theirs" },
    { name: "NEW", value: "new-value" },
    { name: "THERE", value: null },
  ];
  const found = shown(state, { secrets });
  expect(found.properties).toEqual({
    secrets: { KEPT: "k", OTHER: OTHER_VALUE, NEW: SET_OUTSIDE },
    secretsFromEnv: { THERE: "W" },
  });
  expect(found.sentences).toEqual([
    "the secret LOST is missing",
    "the secret GONE is missing",
    "the secret NEW was set outside this program",
    "the secret OTHER has another value",
  ]);
  expect(JSON.stringify(found)).not.toMatch(/theirs|new-value/);
  // A second look finds nothing new.
  expect(shown({ ...state, ...found.properties }, { secrets })).toEqual({ properties: {}, sentences: [] });
});

test("an empty list of secrets says that there are none", () => {
  expect(shown({ ...IMAGE, secrets: { A: "a" } }, { secrets: [] })).toEqual({
    properties: { secrets: {} },
    sentences: ["the secret A is missing"],
  });
});

test("a secret whose changes are ignored is compared by its name alone", () => {
  const state = { ...IMAGE, secrets: { A: "a", B: "b" }, ignoreSecretChanges: ["A", "B"] };
  expect(shown(state, { secrets: [{ name: "A", value: "other" }] }).sentences).toEqual(["the secret B is missing"]);
});
