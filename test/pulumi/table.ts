import { join } from "node:path";
import type { Case } from "./cases/case.ts";
import { ADOPTION } from "./cases/adoption.ts";
import { AGENTS } from "./cases/agents.ts";
import { CHECKS } from "./cases/checks.ts";
import { DESTROYS } from "./cases/destroys.ts";
import { DRIFT } from "./cases/drift.ts";
import { FAILURES } from "./cases/failures.ts";
import { INTERRUPTIONS } from "./cases/interruptions.ts";
import { LOOKUPS } from "./cases/lookups.ts";
import { NEIGHBOURS } from "./cases/neighbours.ts";
import { PACKAGES } from "./cases/packages.ts";
import { PREVIEWS } from "./cases/previews.ts";
import { PROTECTION } from "./cases/protection.ts";
import { REPLACEMENTS } from "./cases/replacements.ts";
import { PLAIN_KEY, SECRETS } from "./cases/secrets.ts";
import { TAKEOVERS } from "./cases/takeovers.ts";
import { UPS } from "./cases/ups.ts";
import type { ResourceType } from "./stage.ts";

/** The resources of dynamic providers. */
export const DYNAMIC: ResourceType = {
  token: "pulumi-nodejs:dynamic/graph-deploy:Deployment",
  module: "graph-deploy/pulumi",
};

/** The resources of the plugin. */
export const PLUGIN: ResourceType = {
  token: "graph-deploy:index:Deployment",
  module: join(import.meta.dirname, "programs/plugin-sdk.cjs"),
  plugin: "graph-deploy/build/plugin",
};

/** What holds on every engine, for every type of resource. */
export const TABLE: readonly Case[] = [
  ...PREVIEWS,
  ...UPS,
  ...REPLACEMENTS,
  ...PROTECTION,
  ...FAILURES,
  ...ADOPTION,
  ...DRIFT,
  ...SECRETS,
  ...CHECKS,
  ...INTERRUPTIONS,
  ...LOOKUPS,
  ...DESTROYS,
  ...TAKEOVERS,
];

/** What only the resources of dynamic providers have. */
export const OF_DYNAMIC: readonly Case[] = [PLAIN_KEY, ...AGENTS, ...PACKAGES, ...NEIGHBOURS];
