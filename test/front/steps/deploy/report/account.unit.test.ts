import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deployStep } from "../../../../../front/steps/deploy/step.ts";
import { summaryOf, type PageOptions } from "../../../../../front/account/account.ts";
import { RevisionFailedError, WaitTimeoutError } from "../../../../../src/deployment/errors.ts";
import type { DeployEvent } from "../../../../../src/deployment/events.ts";
import { beat, deployment, ended, seen, STARTED } from "../../../account/deploy-events.ts";
import * as deploys from "../../../account/deploys.ts";
import { expectHarmlessMarkdown } from "../../../account/harmless.ts";
import { hostileRuns } from "../../../account/hostile-runs.ts";
import { SECRET } from "../../../account/hostile-text.ts";
import { factsOf } from "../../../account/step-output.ts";

function summary(events: readonly DeployEvent[], options: PageOptions = {}): string {
  return summaryOf(deployStep.reporting, factsOf(deployStep.reporting, events), options);
}

describe("what is live now", () => {
  const failed = new RevisionFailedError("build-failed", "It failed.", {});

  it("is not claimed where it is not known", () => {
    const found: DeployEvent = { type: "deployment-found", deployment: deployment({ active_revision_id: null }) };
    const timedOut = ended("timed-out", 1_800, new WaitTimeoutError("Too long."));
    expect(summary([found, STARTED, seen("BUILDING", 1), beat("BUILDING", 1_800), timedOut])).not.toContain("Live now");
    expect(summary([found, STARTED, ended("build-failed", 4, failed)])).not.toContain("Live now");
  });
});

describe("the limit of the summary", () => {
  const long: readonly DeployEvent[] = [
    ...deploys.FAILED_BUILD.slice(0, -1),
    {
      type: "revision-logs",
      kind: "build",
      lines: Array.from({ length: 200 }, (_, index) => ({ message: `${String(index)} ${"<ü>".repeat(600)}` })),
    },
    ...deploys.FAILED_BUILD.slice(-1),
  ];

  it("leaves out the part that does not fit as a whole, and says so", () => {
    const text = summary(long, { limitBytes: 20_000 });
    expect(Buffer.byteLength(text)).toBeLessThan(20_000);
    expect(text).not.toContain("Build log");
    expect(text).toContain("Ids and digest");
    expect(text).toMatch(/\n\n_This summary was cut: the rest is in the log\._\n$/);
  });

  it("holds in bytes for every limit that has room for the note", () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 4_000 }), (limitBytes) => {
        const text = summary(deploys.FAILED_BUILD, { limitBytes });
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limitBytes);
        expect(text.match(/<details>/g) ?? []).toHaveLength((text.match(/<\/details>/g) ?? []).length);
      }),
    );
  });

  it("is 900 kB when nobody says otherwise, and the log's last lines are enough", () => {
    const text = summary(long);
    expect(Buffer.byteLength(text)).toBeLessThan(900_000);
    expect(text).toContain("Build log, last 100 lines");
    expect(text).toContain("\n199 ");
    expect(text).not.toContain("\n99 ");
  });
});

it("warnings in the summary are reported once each, twenty at most", () => {
  const messages = [...Array.from({ length: 23 }, (_, index) => `w${String(index)} *x*`), "w0 *x*"];
  const text = summary(messages.map((message) => ({ type: "warning", message })));
  expect(text.match(/^- ⚠️ w[0-9]+ \\\*x\\\*$/gm)).toHaveLength(20);
  expect(text).toContain("\n- and 3 more in the log\n");
});

it("a hostile service and a hostile project get no tag, no link, no column and no secret into the summary", () => {
  fc.assert(
    fc.property(hostileRuns(...Object.values(deploys)), (events) => {
      const text = summary(events, { redact: (raw) => raw.replaceAll(SECRET, "***") });
      expectHarmlessMarkdown(text);
    }),
  );
});
