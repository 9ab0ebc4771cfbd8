import { expect, test } from "vitest";
import { RevisionSources } from "../../src/deployment/known-sources.ts";

const revision = (id: string, path: string | null) => ({
  ...{ id, status: "DEPLOYED", source_revision_config: { source_tarball_path: path } },
});

test("a digest is found by the id in either case, and by an archive whose revision is known before or after", () => {
  const sources = new RevisionSources(new Map([["aa", { digest: "sha256:1", commit: "c" }]]));
  const [first, again, other, none] = [
    revision("AA", "path-1"),
    revision("bb", "path-1"),
    revision("cc", "path-2"),
    revision("dd", null),
  ] as const;
  for (const one of [again, first, other, none]) sources.note(one);
  expect([first, again, other, none].map((one) => sources.digestOf(one))).toEqual([
    ...["sha256:1", "sha256:1", undefined, undefined],
  ]);
  sources.learn(new Map([["cc", { digest: "sha256:2", commit: undefined }]]));
  expect(sources.digestOf(other)).toBe("sha256:2");
  // Another revision of the same archive has no commit that a record names.
  expect([first, again].map((one) => sources.commitOf(one))).toEqual(["c", undefined]);
});

test("the first record that knows a digest is believed, and a later one adds what it does not say", () => {
  const sources = new RevisionSources(new Map([["aa", { digest: "sha256:1", commit: undefined }]]));
  sources.learn(new Map([["aa", { digest: "sha256:2", commit: "c" }]]));
  expect([sources.digestOf(revision("aa", null)), sources.commitOf(revision("aa", null))]).toEqual(["sha256:1", "c"]);
});
