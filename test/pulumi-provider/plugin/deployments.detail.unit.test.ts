import { expect, test } from "vitest";
import { detailOf } from "../../../pulumi-provider/plugin/deployments.ts";

const changes = (changed: readonly string[], olds: object, news: object) =>
  Object.fromEntries(detailOf(changed, { ...olds }, { ...news }));

test("a property that differs is named by its path, with what became of it", () => {
  const olds = {
    imageUri: "a",
    secrets: { A: "1", B: "2" },
    sourceConfig: { spec: { cpu: 1, gpu: null } },
    wait: null,
  };
  const news = { imageUri: "b", secrets: { A: "3", C: "4" }, sourceConfig: { spec: { cpu: 2 }, "a.b": 1 }, wait: true };
  expect(changes(["imageUri", "secrets", "sourceConfig", "wait"], olds, news)).toEqual({
    imageUri: "update",
    "secrets.A": "update",
    "secrets.B": "delete",
    "secrets.C": "add",
    "sourceConfig.spec.cpu": "update",
    'sourceConfig["a.b"]': "add",
    wait: "add",
  });
});

test("what no program sets is an update, and a list or a value that is not known yet differs as a whole", () => {
  expect(changes(["latestRevisionId", "status"], { latestRevisionId: "x", status: "DEPLOYED" }, {})).toEqual({
    latestRevisionId: "update",
    status: "update",
  });
  const [olds, news] = [
    { triggers: [1, 2], secrets: { A: "1" } },
    { triggers: [1, 3], secrets: "unknown" },
  ];
  expect(changes(["triggers", "secrets"], olds, news)).toEqual({ triggers: "update", secrets: "update" });
});

test("a secret whose changes are ignored is not named, and one of the environment is by its input", () => {
  const olds = { secrets: { A: "1", B: "2" }, secretsFromEnv: { C: "VARIABLE" } };
  const news = { ...olds, secrets: { A: "3", B: "4" }, ignoreSecretChanges: ["A"] };
  expect(changes(["secrets", "secretsFromEnv"], olds, news)).toEqual({
    "secrets.B": "update",
    secretsFromEnv: "update",
  });
});
