import { summaryOf } from "../../../../../front/account/account.ts";
import { describe, expect, it } from "vitest";
import { outputsOf } from "../../../../../front/steps/deploy/report/facts.ts";
import { deployStep } from "../../../../../front/steps/deploy/step.ts";
import type { DeployEvent } from "../../../../../src/deployment/events.ts";
import { outputTexts } from "../../../../../front/account/step-report.ts";
import { CREATED, PAGE, REVISION, TRACE_PAGE as TRACE, URL_OF_AGENT } from "../../../account/deploy-events.ts";
import * as deploys from "../../../account/deploys.ts";
import { factsOf, logOf } from "../../../account/step-output.ts";

const withPages = (events: readonly DeployEvent[]): readonly DeployEvent[] => [
  ...events
    .slice(0, -1)
    .map((event) =>
      event.type === "deployment-found" || event.type === "deployment-created" ? { ...event, page: PAGE } : event,
    ),
  { type: "trace-sent", session: "my deploys", traceId: "t1", runs: 3, page: TRACE },
  ...events.slice(-1),
];

function told(events: readonly DeployEvent[], rehearsal = false) {
  const lines = logOf(deployStep.reporting, events, { rehearsal });
  const facts = factsOf(deployStep.reporting, events);
  return {
    lines,
    outputs: outputTexts(outputsOf(facts)),
    summary: summaryOf(deployStep.reporting, facts, { rehearsal }),
  };
}

describe("the page of a deployment and that of its trace", () => {
  it("stand in the log, the summary and the outputs", () => {
    const { lines, outputs, summary } = told(withPages(deploys.FIRST_DEPLOY));
    expect(lines).toContain(`Page          ${PAGE}`);
    expect(lines).toContain('Trace         3 runs in project "my deploys", trace t1');
    expect(lines).toContain(`              ${TRACE}`);
    expect(outputs["deployment-url"]).toBe(PAGE);
    expect(summary).toContain(`Deployment and logs: <${PAGE}> · Trace: <${TRACE}>`);
  });

  it("lead to the whole log of a build that failed", () => {
    const { lines } = told(withPages(deploys.FAILED_BUILD));
    expect(lines.slice(lines.lastIndexOf("::endgroup::") + 1)).toEqual([
      `Whole log     ${PAGE}`,
      expect.stringMatching(/^Next /) as string,
    ]);
  });

  it("are left out where they are not known", () => {
    const { lines, outputs, summary } = told([CREATED]);
    expect(lines.join("\n")).not.toContain("Page");
    expect(outputs["deployment-url"]).toBe("");
    expect(summary).not.toContain("Deployment and logs");
  });
});

it("a rehearsal's summary has no link to an agent that is gone", () => {
  const { summary } = told(deploys.FIRST_DEPLOY, true);
  expect(summary).toContain(REVISION.slice(0, 8));
  expect(summary).not.toContain(URL_OF_AGENT);
});
