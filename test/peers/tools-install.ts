import type { TestProject } from "vitest/node";
import { jsPeer, pythonPeer, runners, type Tool } from "./tools.ts";

declare module "vitest" {
  export interface ProvidedContext {
    readonly jsPeer: Tool;
    readonly pythonPeer: Tool;
    readonly runners: Tool;
  }
}

/** Installs the public tools once, before the first file: a later run finds them. */
export default async function setup(project: TestProject): Promise<void> {
  const [js, python, others] = await Promise.all([jsPeer(), pythonPeer(), runners()]);
  // What is skipped looks green.
  const missing = [js, python, others].flatMap((tool) => ("missing" in tool ? [tool.missing] : []));
  if (process.env["GRAPH_DEPLOY_REQUIRE_PEERS"] !== undefined && missing.length > 0) {
    throw new Error(`${missing.join("\n")}\nThe peers are required.`);
  }
  project.provide("jsPeer", js);
  project.provide("pythonPeer", python);
  project.provide("runners", others);
}
