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

test("what no program sets is named nowhere: an engine would show that it is deleted", () => {
  const olds = { latestRevisionId: "x", status: "DEPLOYED", sourceTarballPath: "uploads/theirs" };
  expect(changes(["latestRevisionId", "status"], olds, {})).toEqual({});
  // But for the archive of another revision, which the next one replaces.
  expect(changes(["sourceTarballPath"], olds, {})).toEqual({ sourceTarballPath: "delete" });
});

test("a file that differs is named by its path", () => {
  const [olds, news] = [
    { "a.py": "1", "lib/b.py": "2", "old.py": "3" },
    { "a.py": "4", "lib/b.py": "2", new: "5" },
  ];
  expect(changes(["sourceFiles"], { sourceFiles: olds }, { sourceFiles: news })).toEqual({
    'sourceFiles["a.py"]': "update",
    'sourceFiles["old.py"]': "delete",
    "sourceFiles.new": "add",
  });
});

test.each([
  ['a"b.py', 'sourceFiles["a\\"b.py"]'],
  ["a\\b.py", 'sourceFiles["a\\b.py"]'],
  ["ü[0].py", 'sourceFiles["ü[0].py"]'],
  // An engine could not read their paths, and would refuse the update.
  ["a\\", "sourceFiles"],
  ['a\\"b', "sourceFiles"],
])("the path of the file %j is one that an engine reads", (file, path) => {
  const [olds, news] = [{ sourceFiles: { [file]: "1" } }, { sourceFiles: { [file]: "2" } }];
  expect(changes(["sourceFiles"], olds, news)).toEqual({ [path]: "update" });
});

test("a list or a value that is not known yet differs as a whole", () => {
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
