import { expect } from "vitest";
import { image } from "../program.ts";
import { outputsOf, messagesOf } from "../stage.ts";
import type { Case } from "./case.ts";

/** What other dynamic providers of the same program see. */
export const NEIGHBOURS: readonly Case[] = [
  {
    name: "another dynamic provider of the program sees its project, stack and configuration before a deployment and after",
    run: async (stage) => {
      await stage.stack.setConfig("agents:greeting", "hello");
      const plain = (name: string, more = {}) => ({ kind: "Plain", name, args: { key: "greeting", ...more } }) as const;
      const up = await stage.deploy(
        plain("first"),
        image("billing", { triggers: [{ $output: "first.project" }] }),
        plain("last", { after: { $output: "billing.status" } }),
      );
      const [first, last] = [outputsOf(up, "first"), outputsOf(up, "last")];
      expect(first).toMatchObject({ project: "agents", value: "hello" });
      const { stack } = first;
      expect(last).toMatchObject({ project: "agents", stack, value: "hello" });
      // What it logs takes the way that it takes without a deployment beside it.
      const lines = messagesOf(up).split("\n");
      const lineOf = (name: string) => lines.find((line) => line.includes(`${name} is created`))?.replace(name, "");
      expect(lineOf("last")).toBe(lineOf("first"));
      // Of ours a status still comes.
      expect(messagesOf(up)).toMatch(/billing: .*DEPLOYED/);
    },
  },
];
