import { Config } from "@pulumi/pulumi";
import { AgentDeployment } from "graph-deploy/pulumi";

const config = new Config();

/** The directory is uploaded; only a change of one of its files makes a revision. */
const agent = new AgentDeployment("support-agent", {
  source: "internal_source",
  directory: { path: "../agent", exclude: ["README.md"] },
  secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
  timeoutSeconds: 900,
});

export const url = agent.url;
export const revision = agent.deployment.managedRevisionId;
export const sourceSummary = agent.deployment.sourceSummary;
