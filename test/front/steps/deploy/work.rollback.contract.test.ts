import { expect, test } from "vitest";
import type { DeployActionInputName } from "../../../../action/deploy/options.ts";
import { pushEvent } from "../../../github/events.ts";
import { MAIN_SHA } from "../../../github/repository.ts";
import { rig } from "../../../action/preview-rig.ts";

const PRODUCTION = { preview: "false", environment: "production" } as const;

test(
  "a rollback to the previous revision, and its dry run, read the records that the deploys made on GitHub",
  { tags: "slow" },
  async () => {
    const { deploy, uploaded, github, service } = await rig();
    const event = pushEvent(github.state, "main", MAIN_SHA);
    const put = async (text: string) => {
      const { facts } = await deploy(event, { ...PRODUCTION, ...(await uploaded(text)) });
      return facts.revisionId ?? "";
    };
    const good = await put("graph = 1\n");
    await put("graph = 0 / 0\n");
    await put("graph = 0 / 0\n");
    const back: Partial<Record<DeployActionInputName, string>> = {
      ...PRODUCTION,
      "image-uri": "none",
      "rollback-to": "previous",
    };
    const writes = () => service.requests.filter(({ method }) => method !== "GET").length;
    const [before, records] = [writes(), github.state.deployments.all.length];
    const rehearsed = await deploy(event, { ...back, "dry-run": "true" });
    expect(rehearsed).toMatchObject({ outcome: "dry-run", error: undefined, facts: { rollback: { to: good } } });
    expect([writes(), github.state.deployments.all.length]).toEqual([before, records]);
    const unknown = await deploy(event, { ...back, environment: "", "dry-run": "true" });
    expect(unknown.error).toMatchObject({ reasons: ["ROLLBACK_UNCLEAR"] });
    const done = await deploy(event, back);
    expect(done).toMatchObject({ outcome: "deployed", error: undefined, facts: { rollback: { to: good } } });
    expect(github.state.deployments.all).toHaveLength(records + 1);
  },
);
