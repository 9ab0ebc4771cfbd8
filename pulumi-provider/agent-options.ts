import {
  output,
  rootStackResource,
  type Alias,
  type ComponentResourceOptions,
  type CustomResourceOptions,
  type Input,
  type URN,
} from "@pulumi/pulumi";
import { DEPLOYMENT_TYPE } from "./deployment.ts";

/** The options of a component, and those of its deployment that a component does not have. */
export type AgentDeploymentOptions = ComponentResourceOptions & Pick<CustomResourceOptions, "deleteBeforeReplace">;

// What decides how the deployment changes, which means nothing for a component.
const OF_DEPLOYMENT = [
  "ignoreChanges",
  "replaceOnChanges",
  "replacementTrigger",
  "replaceWith",
  "deletedWith",
  "customTimeouts",
  "deleteBeforeReplace",
  "hideDiffs",
] as const satisfies readonly (keyof AgentDeploymentOptions)[];
// What both are to have.
const OF_BOTH = ["dependsOn", "protect", "retainOnDelete"] as const satisfies readonly (keyof AgentDeploymentOptions)[];

/** The options for the component itself. */
export function componentOptions(options: AgentDeploymentOptions): ComponentResourceOptions {
  const own = Object.entries(options).filter(([key]) => !OF_DEPLOYMENT.some((name) => name === key));
  const { aliases } = options;
  const kept = { ...Object.fromEntries(own) };
  return aliases ? { ...kept, aliases: aliases.filter((alias) => !isOfDeployment(alias)) } : kept;
}

/** The options for its deployment; what Pulumi itself hands down to a child is not among them. */
export function deploymentOptions(name: string, options: AgentDeploymentOptions): CustomResourceOptions {
  const handed = [...OF_DEPLOYMENT, ...OF_BOTH].flatMap((key) =>
    key in options ? [[key, options[key]] as const] : [],
  );
  const { aliases, parent = rootStackResource } = options;
  // The alias of a component as that of a `Deployment` in its place: under the component's parent, not under itself.
  const asDeployment = (alias: URN | Alias): URN | Alias =>
    typeof alias === "string" ? alias : { name, parent, ...alias, type: DEPLOYMENT_TYPE };
  const kept = { ...Object.fromEntries(handed) };
  return aliases ? { ...kept, aliases: aliases.map((alias) => output(alias).apply(asDeployment)) } : kept;
}

function isOfDeployment(alias: Input<URN | Alias>): boolean {
  if (typeof alias === "string") return alias.includes(`${DEPLOYMENT_TYPE}::`);
  return "type" in alias && alias.type === DEPLOYMENT_TYPE;
}
