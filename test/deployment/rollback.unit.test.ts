import fc from "fast-check";
import { expect, test } from "vitest";
import type { Revision } from "../../src/contract/deployment.ts";
import { findPrevious } from "../../src/deployment/rollback.ts";
import "../property-runs.ts";

const revision = fc.record({
  status: fc.constantFrom("DEPLOYED", "DEPLOYED", "BUILD_FAILED", "SKIPPED", "DEPLOYING", "SCANNING"),
  image: fc.constantFrom("a", "b", "c"),
});
// Newest first.
const revisions = fc.array(revision, { maxLength: 12 }).map((all) =>
  all.map(({ status, image }, index) => ({
    id: `r-${String(index)}`,
    status,
    source_revision_config: { image_uri: image },
  })),
);

async function* counted(all: readonly Revision[], seen: Revision[]) {
  for (const one of all) {
    seen.push(one);
    yield await Promise.resolve(one);
  }
}

const isLive = ({ status }: Revision) => status === "DEPLOYED";
const imageOf = ({ source_revision_config: config }: Revision) => config?.image_uri;

test("the previous revision is the newest live one behind that which serves, of another source; nothing older is read", async () => {
  await fc.assert(
    fc.asyncProperty(revisions, fc.nat(12), fc.boolean(), async (all, position, isNamed) => {
      const live = all.filter(isLive);
      const serving = isNamed ? live[position % Math.max(1, live.length)] : live[0];
      const seen: Revision[] = [];
      const found = await findPrevious(counted(all, seen), isNamed ? (serving?.id ?? "gone") : undefined);
      const older = serving === undefined ? [] : all.slice(all.indexOf(serving) + 1);
      expect(found?.id).toBe(older.find((one) => isLive(one) && serving && imageOf(one) !== imageOf(serving))?.id);
      expect(seen).toHaveLength(found === undefined ? all.length : all.findIndex(({ id }) => id === found.id) + 1);
    }),
  );
});
