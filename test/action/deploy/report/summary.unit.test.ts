import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Ledger } from "../../../../action/deploy/report/ledger.ts";
import { summaryOf } from "../../../../action/deploy/report/summary.ts";
import type { SummaryOptions } from "../../../../action/report/summary-parts.ts";
import { RevisionFailedError, VerifyError, WaitTimeoutError } from "../../../../src/deployment/errors.ts";
import type { DeployEvent } from "../../../../src/deployment/events.ts";
import {
  beat,
  CREATED,
  DEPLOYMENT,
  deployment,
  ended,
  NEW,
  REVISION,
  seen,
  STARTED,
  TO_LIVE,
  URL_OF_AGENT,
} from "../../report/deploy-events.ts";
import * as deploys from "../../report/deploys.ts";
import { expectHarmlessMarkdown } from "../../report/harmless.ts";
import { hostileDeploy, hostileDryRun, SECRET } from "../../report/hostile-deploy.ts";

function summary(events: readonly DeployEvent[], options?: SummaryOptions): string {
  const ledger = new Ledger();
  for (const event of events) ledger.report(event);
  return summaryOf(ledger.facts, options);
}

const IDS = `\
<details><summary>Ids and digest</summary>

- Deployment: \`0f8fad5b-d9cb-469f-a165-70867728950e\`
- Revision: \`7c1a64e2-7d3c-4b0e-9a51-2f6f0a6f1c11\`
- Source: \`sha256:4f1c09ab${"0".repeat(56)}\`

</details>
`;

const CHANGE = `\
<details><summary>What changed since the revision before</summary>

| Field | Before | Now |
|---|---|---|
| \`graph_config_path\` | \`agent.json\` | \`graph.json\` |

- Revision before: \`99d0c0de-1111-4222-8333-444455556666\`
- Source: 4 files, 38.2 kB, \`sha256:4f1c09ab\`
- Left out: .env (secret), node_modules (212 files), 3 files by .gitignore
`;

const STEPS = `\
| Step | Time |  |
|---|---|---|
| Source | 0.1 s | 4 files, 38.2 kB, \`sha256:4f1c09ab\` |
| Upload | 0.2 s | 11.3 kB |
`;

describe("the job summary", () => {
  it("of a deploy with a smoke run says how long that took", () => {
    expect(summary(deploys.TRIED_DEPLOY)).toContain("| Verify | 31 s | 2 of 2 graphs, run in 31 s, version `0.9.1` |");
  });

  it("of a first deploy says where the agent is and how long each part took", () => {
    expect(summary(deploys.FIRST_DEPLOY)).toBe(`\
### ✅ support-agent is live

**<https://support-agent.example>** · revision \`7c1a64e2\` · deployed in 1 min 33 s

${STEPS}\
| Build | 1 min 12 s | AWAITING_BUILD 4 s, BUILDING 1 min 8 s |
| Deploy | 19 s | DEPLOYING 19 s |
| Verify | 0.1 s | 2 of 2 graphs, version \`0.9.1\` |

${IDS}`);
  });

  it("of a later deploy says what changed", () => {
    expect(summary(deploys.LATER_DEPLOY)).toBe(`\
### ✅ support-agent is live

**<https://support-agent.example>** · revision \`7c1a64e2\` · deployed in 1 min 32 s

${STEPS}\
| Build | 1 min 12 s | AWAITING_BUILD 4 s, BUILDING 1 min 8 s |
| Deploy | 19 s | DEPLOYING 19 s |
| Verify | 0.1 s | 2 of 2 graphs, version \`0.9.1\` |

${CHANGE}\
- Secrets added: \`SENTRY_DSN\`
- Secrets removed: \`OLD_TOKEN\`

</details>

${IDS}`);
  });

  it("of a failed build says what to do, what still serves, and shows the log", () => {
    expect(summary(deploys.FAILED_BUILD)).toBe(`\
### ❌ support-agent: build failed

support-agent: revision 7c1a64e2-7d3c-4b0e-9a51-2f6f0a6f1c11 ended as BUILD_FAILED after 48 s. What was live before still serves.

**Next:** Fix the build and run again. Nothing has to be cleaned up: the next run updates deployment 0f8fad5b-d9cb-469f-a165-70867728950e.

**Live now:** revision \`99d0c0de\`, the one before

${STEPS}\
| Build | 48 s | AWAITING_BUILD 4 s, BUILDING 44 s |

${CHANGE}
</details>

<details><summary>Build log, last 3 lines</summary>

<pre>
Step 4/9 : RUN pip install .
    ::error::no such package
exit 1
</pre>

</details>

${IDS}`);
  });

  it("of a superseded revision explains it and what to set", () => {
    expect(summary(deploys.SUPERSEDED)).toBe(`\
### ❌ support-agent: superseded

support-agent: revision 7c1a64e2-7d3c-4b0e-9a51-2f6f0a6f1c11 was DEPLOYED, but revision 99d0c0de-1111-4222-8333-444455556666 (created 20 s later) is the latest now.

**Next:** If that is expected in your workflow, set \`on-superseded: succeed\`; to let only one run deploy at a time, use \`concurrency\`.

${STEPS}\
| Build | 30 s | AWAITING_BUILD 4 s, BUILDING 26 s |

${CHANGE}
</details>

${IDS}`);
  });

  it("of a superseded revision that is accepted has a warning in place of the error", () => {
    expect(summary(deploys.SUPERSEDED_AS_EXPECTED)).toBe(`\
### ⚠️ support-agent was superseded

revision \`7c1a64e2\` · after 31 s · a newer revision took its place

${STEPS}\
| Build | 30 s | AWAITING_BUILD 4 s, BUILDING 26 s |

- ⚠️ support-agent: revision 7c1a64e2-7d3c-4b0e-9a51-2f6f0a6f1c11 was DEPLOYED, but revision 99d0c0de-1111-4222-8333-444455556666 (created 20 s later) is the latest now.

${CHANGE}
</details>

${IDS}`);
  });

  it("of a cancelled run counts the waiting up to its end", () => {
    expect(summary(deploys.CANCELLED)).toBe(`\
### ❌ support-agent: cancelled

support-agent: the run was cancelled; revision 7c1a64e2-7d3c-4b0e-9a51-2f6f0a6f1c11 of deployment 0f8fad5b-d9cb-469f-a165-70867728950e goes on remotely.

**Next:** Interrupt the revision in the service if it must not go live; the next run updates the same deployment.

${STEPS}\
| Build | 34 s | AWAITING_BUILD 4 s, BUILDING 30 s |

${CHANGE}
</details>

${IDS}`);
  });

  it("of a dry run shows what would become of what is there", () => {
    expect(summary(deploys.DRY_RUN)).toBe(`\
### Dry run: support-agent would be updated

Deployment \`0f8fad5b-d9cb-469f-a165-70867728950e\`. Nothing was written.

|  | Now | Would be |
|---|---|---|
| Source |  | 4 files, 38.2 kB, \`sha256:4f1c09ab\`; 11.3 kB to upload |
| \`graph_config_path\` | \`agent.json\` | \`graph.json\` |
| \`source_config.build_on_push\` | \`true\` | unchanged |
| Secrets | 2 set | OPENAI_API_KEY, SENTRY_DSN (values not shown); replaces the 2 that are set |
`);
  });

  it("of a source that is live already says so, and tells of no change", () => {
    expect(summary(deploys.UNCHANGED)).toBe(`\
### ✅ support-agent is unchanged

**<https://support-agent.example>** · revision \`7c1a64e2\` · nothing to deploy, looked in 0.4 s

${IDS}`);
  });

  it("of a dry run that would send nothing is short", () => {
    expect(summary(deploys.DRY_RUN_OF_THE_SAME)).toBe(`\
### Dry run: support-agent would be left as it is

Deployment \`0f8fad5b-d9cb-469f-a165-70867728950e\`. Nothing was written.
`);
  });

  it("of a dry run shows what would be created", () => {
    expect(summary(deploys.DRY_RUN_OF_NEW_IMAGE)).toBe(`\
### Dry run: shop would be created

Nothing was written.

|  | Now | Would be |
|---|---|---|
| \`image_uri\` |  | \`registry.example/shop:7\` |
| Secrets |  | none |
`);
  });

  it("of inputs that cannot be used lists them", () => {
    expect(summary(deploys.BAD_INPUTS)).toBe(`\
### ❌ Inputs

3 inputs are invalid: timeout "soon" is not a valid duration (examples: 90s, 30m, 1.5h); on-superseded "maybe" is not valid (choose fail or succeed); path does/not/exist is not a folder of the workspace.

| Input | Fault |
|---|---|
| \`timeout\` | "soon" is not a valid duration (examples: 90s, 30m, 1.5h) |
| \`on-superseded\` | "maybe" is not valid (choose fail or succeed) |
| \`path\` | does/not/exist is not a folder of the workspace |

**Next:** Correct what the step is given, and run again; nothing was sent.
`);
  });

  it("of a run that does not wait says so", () => {
    expect(summary([NEW, CREATED, STARTED, ended("started", 2.1)])).toBe(`\
### ✅ support-agent: a revision is started

revision \`7c1a64e2\` · started after 2.1 s · this step did not wait for it

<details><summary>Ids and digest</summary>

- Deployment: \`${DEPLOYMENT}\`
- Revision: \`${REVISION}\`

</details>
`);
  });

  it("of a run that never came to its end says so", () => {
    expect(summary([NEW])).toBe("### support-agent: the run did not come to its end\n");
    expect(summary([])).toBe("### The deployment: the run did not come to its end\n");
  });
});

describe("what is live now", () => {
  const failed = new RevisionFailedError("build-failed", "It failed.", {});

  it("is this revision when only the agent's answer is wrong", () => {
    const events = [NEW, CREATED, ...TO_LIVE, ended("failed", 160, new VerifyError("It does not answer."))];
    expect(summary(events)).toContain(
      `**Live now:** revision \`7c1a64e2\`, the one of this run at <${URL_OF_AGENT}>\n`,
    );
  });

  it("is nothing when the first revision of a deployment failed", () => {
    expect(summary([NEW, CREATED, STARTED, seen("BUILD_FAILED", 3), ended("build-failed", 4, failed)])).toContain(
      "**Live now:** nothing; the deployment is new\n",
    );
  });

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
      { numRuns: 200 },
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

describe("warnings in the summary", () => {
  it("are told once each, twenty at most", () => {
    const messages = [...Array.from({ length: 23 }, (_, index) => `w${String(index)} *x*`), "w0 *x*"];
    const text = summary(messages.map((message) => ({ type: "warning", message })));
    expect(text.match(/^- ⚠️ w[0-9]+ \\\*x\\\*$/gm)).toHaveLength(20);
    expect(text).toContain("\n- and 3 more in the log\n");
  });
});

describe("a hostile service and a hostile project", () => {
  it("get no tag, no link, no column and no secret into the summary", () => {
    fc.assert(
      fc.property(fc.oneof(hostileDeploy, hostileDryRun), (events) => {
        const text = summary(events, { redact: (raw) => raw.replaceAll(SECRET, "***") });
        expectHarmlessMarkdown(text);
      }),
      { numRuns: 300 },
    );
  });
});
