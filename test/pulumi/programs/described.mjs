// One program for the whole table: what it makes stands in description.json, which a case writes anew between two runs.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dynamic, output, secret } from "@pulumi/pulumi";

const { module, resources, lookups, knows } = JSON.parse(readFileSync("description.json", "utf8"));
// Pulumi loads a program at once: there is no time to await what is imported.
const provider = createRequire(import.meta.url)(module);
const made = new Map();

/** A dynamic provider of the program's own; each resource has another one, as its name is part of the provider. */
class Plain extends dynamic.Resource {
  constructor(name, args, options) {
    const methods = {
      async configure({ config }) {
        this.config = config;
      },
      async create({ key }) {
        const { getProject, getStack, log } = await import("@pulumi/pulumi");
        await log.info(`${name} is created`);
        return { id: name, outs: { project: getProject(), stack: getStack(), value: this.config.get(key) ?? null } };
      },
    };
    super(methods, name, { project: undefined, stack: undefined, value: undefined, ...args }, options);
  }
}

for (const { kind, name, get, args, options } of resources) {
  const [given, chosen] = [known(args), known(options)];
  const type = kind === "Plain" ? Plain : provider[kind];
  made.set(name, get === undefined ? new type(name, given, chosen) : type.get(name, known(get), given, chosen));
}

export const deployments = Object.fromEntries([...made].map(([name, resource]) => [name, shown(resource)]));
export const found = Object.fromEntries(Object.entries(lookups).map(look));

/** `{ $output: "first.url" }` stands for an output of a resource above, `{ $secret: … }` for a secret. */
function known(value) {
  if (Array.isArray(value)) return value.map(known);
  if (value === null || typeof value !== "object") return value;
  if (value.$secret !== undefined) return secret(value.$secret);
  if (value.$resource !== undefined) return made.get(value.$resource);
  if (value.$output !== undefined) {
    const [name, output] = value.$output.split(".");
    return made.get(name)[output];
  }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, known(one)]));
}

function shown(resource) {
  return Object.fromEntries(knows.map((output) => [output, resource[output]]));
}

function look([key, query]) {
  const hasOutputs = JSON.stringify(query).includes("$output");
  return [key, hasOutputs ? provider.getDeploymentOutput(known(query)) : output(provider.getDeployment(query))];
}
