import { describe, expect, test } from "vitest";
import * as z from "zod";
import { Run } from "../../src/contract/run.ts";
import type { LocalService } from "../../src/local/index.ts";
import { runAction } from "../runner/runner.ts";
import { withStep, API_KEY, step } from "./step.ts";

const Page = z.object({ resources: z.array(Run) });
const RUNS = { server: "service", path: /\/runs/ } as const;

const traceTo = (url: string) => ({ "trace-session": "deploys", "trace-url": url, "trace-api-key": API_KEY });

async function tracedRuns({ url }: LocalService): Promise<readonly Run[]> {
  const answer = await fetch(`${url}/runs?session=deploys`, { headers: { "x-api-key": API_KEY } });
  return Page.parse(await answer.json()).resources;
}

describe("a deploy that traces itself", () => {
  test("leaves a run for each of its steps, which a page shows", async () => {
    const { service, options } = await step({ walkMilliseconds: 1500 });
    const result = await runAction(options(traceTo(service.url), { env: { GITHUB_SHA: "4f1c09a" } }));
    expect(result).toMatchObject({ exitCode: 0, leaked: [], faults: [], leftInTemp: [] });
    const runs = await tracedRuns(service);
    const [root, ...steps] = runs.map(({ name }) => name);
    expect(root).toBe("deploy support-agent");
    expect(steps).toEqual(expect.arrayContaining(["archive", "upload", "deploy", "verify"]));
    expect(runs[0]).toMatchObject({
      outputs: { outcome: "deployed", revision_id: result.outputs.get("revision-id") },
      extra: { metadata: { commit: "4f1c09a" } },
    });
    expect(result.log.join("\n")).toContain(
      `Trace         ${String(runs.length)} runs in project "deploys", trace ${runs[0]?.id ?? ""}`,
    );
    const page = await fetch(`${service.url}/o/-/traces/${runs[0]?.id ?? ""}`, { headers: { "x-api-key": API_KEY } });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("deploy support-agent");
  });

  test.each([
    ["refuses the key", { kind: "answer", status: 401 }],
    ["never answers", { kind: "stall" }],
  ] as const)("is as green as before when the tracing service %s, with one warning", async (_, fault) => {
    const { service, options } = await step();
    const tracing = await step();
    tracing.service.faults.add({ times: Number.POSITIVE_INFINITY, match: RUNS, do: fault });
    const result = await runAction(options(traceTo(tracing.service.url)));
    expect(result).toMatchObject({ exitCode: 0, leaked: [], faults: [] });
    expect(result.outputs.get("outcome")).toBe("deployed");
    const warnings = result.annotations.filter(({ type }) => type === "warning").map(({ message }) => message);
    expect(warnings).toEqual([expect.stringContaining("The trace of this deploy")]);
    expect(service.deployments()).toHaveLength(1);
  });

  withStep("traces a rehearsal with the service of the rehearsal", async ({ options }) => {
    const result = await runAction(
      options({ "control-plane-url": "local", "api-key": "", "trace-session": "deploys" }),
    );
    expect(result.exitCode).toBe(0);
    expect(result.log.join("\n")).toMatch(/^Trace {9}\d runs in project "deploys"/m);
  });

  test("never hands the key of the control plane on, and says what is missing before it sends anything", async () => {
    const { service, options } = await step();
    const result = await runAction(options({ "trace-session": "deploys", "trace-url": "https://traces.example" }));
    expect(result.exitCode).toBe(1);
    expect(result.annotations.map(({ message }) => message)).toEqual([
      expect.stringContaining("trace-api-key is empty"),
    ]);
    expect(service.requests).toEqual([]);
  });
});
