import fc from "fast-check";
import { expect, test } from "vitest";
import type { Revision } from "../../src/contract/deployment.ts";
import { RevisionSources, type KnownSource } from "../../src/deployment/known-sources.ts";
import { PreviousSearch } from "../../src/deployment/previous.ts";
import "../property-runs.ts";

const status = fc.constantFrom("DEPLOYED", "DEPLOYED", "BUILD_FAILED", "SKIPPED", "DEPLOYING", "SCANNING");
const isLive = ({ status: of }: Pick<Revision, "status">) => of === "DEPLOYED";

/** Takes revisions until the previous one is found. */
function search(
  all: readonly Revision[],
  serving: string | undefined,
  sources = new RevisionSources(new Map()),
  source?: string,
) {
  const made = new PreviousSearch({ active_revision_id: serving, source }, sources);
  let seen = 0;
  for (const revision of all) {
    seen += 1;
    const found = made.take(revision);
    if (found !== undefined) return { made, found, seen };
  }
  return { made, found: undefined, seen };
}

// Newest first.
const images = fc
  .array(fc.record({ status, image: fc.constantFrom("a", "b", "c") }), { maxLength: 12 })
  .map((all) =>
    all.map((one, index) => ({ ...one, id: `r-${String(index)}`, source_revision_config: { image_uri: one.image } })),
  );

test("the previous revision is the newest live one behind that which serves, of another source; nothing older is read", () => {
  fc.assert(
    fc.property(images, fc.nat(12), fc.boolean(), (all, position, isNamed) => {
      const live = all.filter(isLive);
      const serving = isNamed ? live[position % Math.max(1, live.length)] : live[0];
      const { found, seen, made } = search(all, isNamed ? (serving?.id ?? "gone") : undefined);
      const older = serving === undefined ? [] : all.slice(all.indexOf(serving) + 1);
      expect(found?.id).toBe(older.find((one) => isLive(one) && one.image !== serving?.image)?.id);
      expect(seen).toBe(found === undefined ? all.length : all.findIndex(({ id }) => id === found.id) + 1);
      expect(made.unclear).toEqual([]);
    }),
  );
});

// Each archive has one content, and several archives may have the same.
const CONTENTS = ["good", "bad", "bad", "worse", "good"];
const archives = fc
  .array(fc.record({ status, archive: fc.nat(CONTENTS.length - 1), isRecorded: fc.boolean() }), { maxLength: 14 })
  .map((all) =>
    all.map(({ archive, ...one }, index) => ({
      ...one,
      id: `R-${String(index)}`,
      content: CONTENTS[archive] ?? "",
      path: `sources/${String(archive)}.tar.gz`,
      source_revision_config: { source_tarball_path: `sources/${String(archive)}.tar.gz` },
    })),
  );

const digestOf = (content: string) => `sha256:${content}`;

test("of archives it is the newest live one with another digest, all between known; a path has one digest, wherever it is known", () => {
  fc.assert(
    fc.property(archives, fc.nat(14), (all, position) => {
      const live = all.filter(isLive);
      const serving = live[position % Math.max(1, live.length)];
      const recorded = all.filter(({ isRecorded }) => isRecorded);
      const knownOf = (some: typeof all): Map<string, KnownSource> =>
        new Map(some.map(({ id, content }) => [id.toLowerCase(), { digest: digestOf(content), commit: undefined }]));
      const { found, made } = search(all, serving?.id, new RevisionSources(knownOf(recorded)));
      const older = serving === undefined ? [] : live.slice(live.indexOf(serving) + 1);
      const expected = older.find(({ content }) => content !== serving?.content);
      if (found !== undefined) {
        expect(found.id).toBe(expected?.id);
        return;
      }
      const isKnown = ({ path }: (typeof all)[number]) => recorded.some((other) => other.path === path);
      const between = expected === undefined ? older : older.slice(0, older.indexOf(expected) + 1);
      const compared = between.filter(({ path }) => path !== serving?.path);
      const needed = serving === undefined || compared.length === 0 ? [] : [serving, ...compared];
      if (needed.every(isKnown)) expect(expected).toBeUndefined();
      expect(made.unclear.length > 0).toBe(!needed.every(isKnown));
      expect(
        made.unclear.every((one) => !isKnown(all.find(({ id }) => id === one.id) ?? expect.fail("not in the list"))),
      ).toBe(true);
    }),
  );
});

const of = (id: string, config: Revision["source_revision_config"]): Revision => ({
  ...{ id, status: "DEPLOYED", source: "internal_source", source_revision_config: config },
});

test("the same files with another configuration file are another source, and a path that is not shown is no other one", () => {
  const now = of("now", { source_tarball_path: "b", graph_config_path: "graph.json" });
  const other = of("other", { source_tarball_path: "a", graph_config_path: "other.json" });
  const silent = of("silent", { source_tarball_path: "a", graph_config_path: null });
  expect(search([now, other], "now").found).toBe(other);
  const { found, made } = search([now, silent], "now");
  expect(found).toBeUndefined();
  expect(made.unclear).toEqual([now, silent]);
});

test("a revision whose configuration the service hides is not taken for another source", () => {
  const hidden = of("hidden", null);
  const now = of("now", { source_tarball_path: "b" });
  expect(search([now, hidden], "now").found).toBeUndefined();
  const known = new Map(["now", "hidden"].map((id) => [id, { digest: digestOf(id), commit: undefined }]));
  expect(search([now, hidden], "now", new RevisionSources(known)).found).toBe(hidden);
});

test.each([
  ["of an uploaded project", "internal_source", true],
  ["of an image", "external_docker", false],
  ["of a source that the service does not name", undefined, false],
])("a revision %s, of which a list says neither source nor configuration, is no other one", (_, source, isArchive) => {
  const all = ["now", "bad", "good"].map((id): Revision => ({ id, status: "DEPLOYED" }));
  const { found, made } = search(all, "now", undefined, source);
  expect(found).toBeUndefined();
  expect(made.unclear.map(({ id }) => id)).toEqual(["now", "bad"]);
  expect(made.unclear.map((one) => made.isArchive(one))).toEqual([isArchive, isArchive]);
  const known = new Map(
    ["now", "bad", "good"].map((id) => [id, { digest: digestOf(id.replace("now", "bad")), commit: undefined }]),
  );
  expect(search(all, "now", new RevisionSources(known), source).found?.id).toBe("good");
});

test("an image is compared with one that a list hides only once that is known", () => {
  const now = { id: "now", status: "DEPLOYED", source_revision_config: { image_uri: "b" } };
  const empty = { id: "empty", status: "DEPLOYED", source_revision_config: { image_uri: null } };
  const { found, made } = search([now, empty], "now", undefined, "external_docker");
  expect(found).toBeUndefined();
  expect(made.unclear).toEqual([empty]);
});

test("what is learnt later decides a search that came to no end, and five of the live ones are named", () => {
  const all = Array.from({ length: 8 }, (_, index) =>
    of(`r-${String(index)}`, { source_tarball_path: `p-${String(index)}` }),
  );
  const sources = new RevisionSources(new Map([["r-0", { digest: digestOf("bad"), commit: "c0" }]]));
  const { made, found } = search(all, undefined, sources);
  expect(found).toBeUndefined();
  expect(made.unclear.map(({ id }) => id)).toEqual(["r-1"]);
  expect(made.newest.map(({ id }) => id)).toEqual(["r-0", "r-1", "r-2", "r-3", "r-4"]);
  expect(made.serving?.id).toBe("r-0");
  sources.learn(
    new Map([
      ["r-0", { digest: digestOf("other"), commit: undefined }],
      ["r-1", { digest: digestOf("bad"), commit: "c1" }],
      ["r-2", { digest: digestOf("good"), commit: "c2" }],
    ]),
  );
  expect(made.find()?.id).toBe("r-2");
  expect(all.slice(0, 3).map((one) => sources.commitOf(one))).toEqual(["c0", "c1", "c2"]);
});
