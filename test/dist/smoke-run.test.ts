import { describe, expect, test } from "vitest";
import { runAction } from "../runner/runner.ts";
import { withStep, step } from "./step.ts";

const RUN = { "smoke-input": "question: who?" };
const runs = ({ service }: Awaited<ReturnType<typeof step>>) =>
  service.requests.filter(({ path }) => path.startsWith("/runs/"));

describe("a deploy with a smoke run", () => {
  withStep("is green when the agent answers as expected, and says how long that took", async (parts) => {
    const result = await runAction(parts.options({ ...RUN, "smoke-expect": "built-in agent\n$.question: /^who\\?$/" }));
    expect(result).toMatchObject({ exitCode: 0, leaked: [], faults: [], leftInTemp: [] });
    expect(result.log.join("\n")).toMatch(/^Agent .*: responds in .*, 1 of 1 graphs, run in \S+ m?s$/m);
    expect(result.summary).toMatch(/\| Verify \| .* \| 1 of 1 graphs, run in /);
    expect(runs(parts).map(({ json }) => json)).toEqual([{ assistant_id: "support", input: { question: "who?" } }]);
  });

  test("is red when the run fails, with what the agent says and nothing that the runner would obey", async () => {
    const parts = await step();
    const fail = "no key ::error::injected <b>@team</b> `rm`";
    const result = await runAction(parts.options({ "smoke-input": JSON.stringify({ fail }) }));
    expect(result).toMatchObject({ exitCode: 1, leaked: [], faults: [] });
    expect(result.outputs.get("outcome")).toBe("failed");
    expect(result.outputs.get("status")).toBe("DEPLOYED");
    expect(result.outputs.get("url")).toMatch(/^http:/);
    const errors = result.annotations.filter(({ type }) => type === "error");
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toContain('the smoke run of "support" at http://127.0.0.1:');
    expect(errors[0]?.message).toContain("failed: EchoError: no key");
    expect(result.summary).not.toContain("<b>");
    expect(result.summary).toContain("Live now");
    expect(runs(parts)).toHaveLength(1);
  });
});
