import { expect, test } from "vitest";
import { supersededBy } from "../../src/deployment/ending.ts";
import { Deployment, Revision } from "../../src/contract/deployment.ts";
import { asSeen } from "../../src/deployment/our-revision.ts";
import { systemClock } from "../../src/http/clock.ts";
import { TimeLimit } from "../../src/http/time-limit.ts";

const EARLY = "2026-01-01T00:00:00Z";
const LATE = "2026-01-02T00:00:00Z";

const superseded = (status: string, newer: Parameters<typeof supersededBy>[1]) =>
  supersededBy(
    {
      name: "support",
      request: { pollCapMilliseconds: 1, timeoutMilliseconds: 1 },
      deployment: Deployment.parse({ id: "d-1" }),
      ...asSeen(Revision.parse({ id: "r-1", status, created_at: EARLY })),
      timeLimit: new TimeLimit(systemClock, 1),
      existing: undefined,
      graphs: undefined,
    },
    newer,
  ).message;

test("a revision that never went live was SKIPPED, and one that did was DEPLOYED", () => {
  expect(superseded("SKIPPED", { id: "r-2", created_at: LATE })).toMatch(/r-1 was SKIPPED, .*r-2 /);
  expect(superseded("DEPLOYED", { id: "r-2", created_at: LATE })).toMatch(/r-1 was DEPLOYED, .*r-2/);
});

test("a newer revision that the service does not name has no id in the sentence", () => {
  expect(superseded("SKIPPED", undefined)).toContain("a newer revision");
});
