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

/** What a door decides itself, or hands on to its engine. */
export const OF_EACH_DOOR: readonly Case[] = [
  ...PREVIEWS,
  ...UPS,
  ...FAILURES,
  ...SECRETS,
  ...CHECKS,
  ...INTERRUPTIONS,
  ...LOOKUPS,
  ...TAKEOVERS,
];

/** What is decided in the core that the doors share: on the small engine these take turns behind one door and the other. */
export const OF_THE_CORE: readonly Case[] = [...REPLACEMENTS, ...PROTECTION, ...ADOPTION, ...DRIFT, ...DESTROYS];

/** What holds on every engine, for every type of resource. */
export const TABLE: readonly Case[] = [...OF_EACH_DOOR, ...OF_THE_CORE];

/** What only the resources of dynamic providers have. */
export const OF_DYNAMIC: readonly Case[] = [PLAIN_KEY, ...AGENTS, ...PACKAGES, ...NEIGHBOURS];
