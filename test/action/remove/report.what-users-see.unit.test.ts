import { summaryOf } from "../../../front/account/account.ts";
import { expect, test } from "vitest";
import { NotRemovedError, UnknownStateError } from "../../../action/remove/errors.ts";
import type { RemoveStepEvent } from "../../../action/remove/events.ts";
import type { Preview } from "../../../action/remove/previews.ts";
import { removeStep } from "../../../action/remove/step.ts";
import { pageOfRuns, type Run } from "../../front/account/seen-run.ts";
import { factsOf, logOf } from "../../front/account/step-output.ts";

const preview = (pullRequest: number): Preview => {
  const name = `support-pr-${String(pullRequest)}`;
  const id = `7c1a64e2-0000-4000-8000-${String(pullRequest).padStart(12, "0")}`;
  return { name, pullRequest, deployment: { id, name } };
};
const [first, second, third] = [preview(7), preview(8), preview(9)];
const found = (...previews: readonly Preview[]): RemoveStepEvent => ({
  type: "previews-found",
  name: "support",
  previews,
});
const ended = (error?: Error): RemoveStepEvent => ({ type: "ended", milliseconds: 41_200, error });
const closed = { preview: first, why: "closed" } as const;
const GONE: readonly RemoveStepEvent[] = [
  { type: "removing", ...closed },
  { type: "delete-accepted", deploymentId: first.deployment.id },
  {
    type: "delete-waiting",
    deploymentId: first.deployment.id,
    status: "AWAITING_DELETE",
    elapsedMilliseconds: 30_000,
  },
  { type: "removed", ...closed, milliseconds: 38_000 },
];
const NO_DELETE = "This service cannot delete deployments. Delete them there: support-pr-7.";
const UNREAD = new UnknownStateError("The state of pull request #7 could not be read: GitHub returned 403.", {
  advice:
    "Add `pull-requests: read` to the `permissions` of the job. No preview was removed whose pull request may be open.",
});
const NOT_REMOVED = new NotRemovedError("Not removed: support-pr-9.", { advice: "The log has the reasons." });

const RUNS: readonly Run<RemoveStepEvent>[] = [
  ["The preview of a closed pull request", [found(first), ...GONE, ended()]],
  ["The preview of an open pull request", [found(first), { type: "kept", preview: first, why: "open" }, ended()]],
  ["No preview", [found(), ended()]],
  ["The records of a preview that was gone", [found(), { type: "records-deleted", preview: first, count: 2 }, ended()]],
  ["A run without secrets", [ended()]],
  [
    "All previews, of which one cannot be removed",
    [
      found(first, second, third),
      { type: "kept", preview: second, why: "not-owned" },
      ...GONE,
      { type: "failed", preview: third, reason: "DELETE https://control.example/v2/deployments/d returned 403" },
      ended(NOT_REMOVED),
    ],
  ],
  [
    "A dry run",
    [
      found(first, second, third),
      { type: "kept", preview: second, why: "open" },
      { type: "removed", ...closed, milliseconds: undefined },
      { type: "removed", preview: third, why: "age", milliseconds: undefined },
      ended(),
    ],
    { dryRun: true },
  ],
  [
    "A service without a delete",
    [
      found(first),
      { type: "kept", preview: first, why: "cannot-delete" },
      { type: "warning", message: NO_DELETE },
      ended(),
    ],
  ],
  ["A pull request whose state is unknown", [found(first), ended(UNREAD)]],
  [
    "A cancelled run",
    [found(first), { type: "removing", ...closed }, ended(removeStep.reporting.cancelled(removeStep.reporting.facts))],
  ],
];

test("what users see of a removal", async () => {
  await expect(pageOfRuns(removeStep.reporting, RUNS, { heading: "What users see of a removal" })).toMatchFileSnapshot(
    "report/what-users-see.md",
  );
});

test("what comes from outside is text in the log and in the summary", () => {
  const hostile = "::error::x ##[error]y <!-- z --> [a](https://evil.example) |`b`";
  const named = { name: "support-pr-7", pullRequest: 7, deployment: { id: hostile, name: "support-pr-7" } };
  const events: readonly RemoveStepEvent[] = [
    { type: "previews-found", name: "support", previews: [named] },
    { type: "removing", preview: named, why: "closed" },
    { type: "failed", preview: named, reason: `secret-0123 ${hostile}\n::error::again` },
    ended(),
  ];
  const { reporting } = removeStep;
  const redact = (text: string) => text.replaceAll("secret-0123", "***");
  const log = logOf(reporting, events, { redact });
  expect(log.filter((line) => /^\s*::|##\[/.test(line))).toEqual([]);
  const summary = summaryOf(reporting, factsOf(reporting, events), { redact });
  expect(log.join("\n") + summary).not.toContain("secret-0123");
  expect(summary).not.toMatch(/<!--|\]\(https:/);
});
