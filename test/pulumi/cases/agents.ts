import { expect } from "vitest";
import type { RecordedRequest } from "../../../src/local/index.ts";
import { folder, image, type Described } from "../program.ts";
import { failure, outputsOf, succeeded } from "../stage.ts";
import type { Case } from "./case.ts";

const agent = (described: Described): Described => ({ ...described, kind: "AgentDeployment" });

/** The component that is there once its agent answers. */
export const AGENTS: readonly Case[] = [
  {
    name: "options of an AgentDeployment reach its deployment",
    run: async (stage) => {
      const described = (imageUri: string, options: Described["options"]) =>
        agent(image("billing", { imageUri, readiness: false }, { options: { ...options } }));
      await stage.deploy(described("registry.example/agent:1", { ignoreChanges: ["imageUri"] }));
      const { id } = stage.deployment("billing");
      stage.asked();
      await stage.deploy(described("registry.example/agent:2", { ignoreChanges: ["imageUri"] }));
      expect(stage.changed()).toEqual([]);

      const customTimeouts = { update: "7m" };
      await stage.deploy(described("registry.example/agent:2", { replaceOnChanges: ["imageUri"], customTimeouts }));
      expect(stage.deployment("billing").id).not.toBe(id);
      expect((await stage.resource("billing")).inputs).toMatchObject({ customTimeouts });
      await stage.deploy(described("registry.example/agent:2", { retainOnDelete: true }));
      stage.asked();
      succeeded(await stage.destroy());
      expect(stage.changed()).toEqual([]);
    },
  },
  {
    name: "an AgentDeployment is ready when its agent answers, and what takes its url comes after that",
    run: async (stage) => {
      const after = image("after", { triggers: [{ $output: "support.url" }] });
      await stage.describe(agent(folder("support")), after);
      succeeded(await stage.preview());
      expect(stage.service.requests).toEqual([]);

      const up = succeeded(await stage.up());
      const { id, url } = stage.deployment("support");
      expect(outputsOf(up, "support")).toMatchObject({ deploymentId: id, url, status: "DEPLOYED" });
      const { requests } = stage.service;
      const asked = requests.findIndex(({ server }) => server === "agent");
      const isCreate = ({ method, path }: RecordedRequest) => method === "POST" && path === "/v2/deployments";
      expect(requests.slice(0, asked).filter(isCreate)).toHaveLength(1);
      expect(requests.slice(asked).filter(isCreate)).toHaveLength(1);
      expect((await stage.resource("after")).inputs["triggers"]).toEqual([url]);

      const before = requests.length;
      expect(succeeded(await stage.up()).changes["update"]).toBeUndefined();
      expect(requests).toHaveLength(before);
      succeeded(await stage.destroy());
      expect(stage.service.deployments()).toEqual([]);
    },
  },
  {
    name: "an agent that refuses fails the up, the next one asks it again, and no revision is made for it",
    run: async (stage) => {
      const fault = stage.service.faults.add({
        times: Number.POSITIVE_INFINITY,
        match: { server: "agent" },
        do: { kind: "answer", status: 403, body: { detail: "not for you" } },
      });
      await stage.describe(agent(image("support")));
      const said = failure(await stage.up());
      expect(said).toContain("support");
      expect(said).toContain("failed its health check");
      expect(said).toContain("readiness: false");
      expect((await stage.resource("support")).outputs).toMatchObject({ status: "DEPLOYED" });

      fault.remove();
      const heard = stage.service.requests.length;
      succeeded(await stage.up());
      const later = stage.service.requests.slice(heard);
      expect(later.some(({ server }) => server === "agent")).toBe(true);
      expect(later.filter(({ server, method }) => server === "service" && method !== "GET")).toEqual([]);
      expect(stage.revisions("support")).toHaveLength(1);
    },
  },
  {
    name: "another revision is asked anew, and readiness: false asks nobody",
    run: async (stage) => {
      await stage.deploy(agent(image("support")), agent(image("quiet", { readiness: false })));
      const agents = () => stage.service.requests.filter(({ server }) => server === "agent").length;
      const first = agents();
      expect(first).toBeGreaterThan(0);
      await stage.deploy(agent(image("support")), agent(image("quiet", { readiness: false, triggers: [1] })));
      expect(agents()).toBe(first);
      const up = await stage.deploy(agent(image("support", { triggers: [1] })));
      expect(agents()).toBeGreaterThan(first);
      expect(outputsOf(up, "support")["latestRevisionId"]).toBe(stage.revisions("support")[0]?.id);
    },
  },
];
