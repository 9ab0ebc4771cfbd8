import { expect, test } from "vitest";
import type {
  Credential,
  DeploymentInputs,
  DirectoryInputs,
  ImageInputs,
  RepositoryInputs,
} from "../../../../pulumi-provider/core/inputs/inputs.ts";

// Compiled by `npm run check -- types`: each line marked below must not compile.
const accepted: readonly DeploymentInputs[] = [
  { name: "a", source: "internal_source", directory: { path: "." } },
  { name: "a", source: "internal_source", directory: { path: "." }, graphConfigPath: "agent/graph.json" },
  { name: "a", source: "github", repoRef: "main" },
  { name: "a", source: "external_docker", imageUri: "registry/agent:1", adopt: "ifExists", wait: false },
];

const directory = { path: "." };
const refused: readonly unknown[] = [
  // @ts-expect-error a folder is what this source is made from
  { name: "a", source: "internal_source" } satisfies DirectoryInputs,
  // @ts-expect-error an image has no folder
  { name: "a", source: "external_docker", imageUri: "x", directory } satisfies ImageInputs,
  // @ts-expect-error an image has no configuration file of its own
  { name: "a", source: "external_docker", imageUri: "x", graphConfigPath: "g.json" } satisfies DeploymentInputs,
  // @ts-expect-error a repository is no image
  { name: "a", source: "github", repoRef: "main", imageUri: "x" } satisfies RepositoryInputs,
  // @ts-expect-error a repository has a ref
  { name: "a", source: "github" } satisfies DeploymentInputs,
  // @ts-expect-error an image has no ref
  { name: "a", source: "external_docker", imageUri: "x", repoRef: "main" } satisfies DeploymentInputs,
  // @ts-expect-error such images are deployed by the tool that pushes them
  { name: "a", source: "internal_docker" } satisfies DeploymentInputs,
  // @ts-expect-error the provider uploads the folder itself
  { name: "a", source: "internal_source", directory, sourceTarballPath: "x" } satisfies DeploymentInputs,
  // @ts-expect-error a key never gets into the state
  { name: "a", source: "github", repoRef: "main", apiKey: "x" } satisfies DeploymentInputs,
  // @ts-expect-error there are two ways to adopt
  { name: "a", source: "github", repoRef: "main", adopt: "required" } satisfies DeploymentInputs,
  // @ts-expect-error a key is in one place
  { env: "A", config: "b" } satisfies Credential,
];

test("every source has inputs that compile, and what the types refuse is no input of any", () => {
  expect(accepted).toHaveLength(4);
  expect(refused).toHaveLength(11);
});
