import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { INPUT_ROLES, InputShapes } from "../pulumi-provider/core/inputs/fields.ts";
import { DEFAULTS } from "../pulumi-provider/core/inputs/inputs.ts";
import { OUTPUTS } from "../pulumi-provider/core/state/state.ts";
import { FUNCTIONS } from "../pulumi-provider/plugin/functions.ts";
import { SECRET_SETTINGS, SettingShapes } from "../pulumi-provider/plugin/settings.ts";
import { VERSION } from "../src/version.ts";
import { projectRoot } from "./command.ts";
import { formatted } from "./formatted.ts";
import { GIVEN_OPTIONS } from "./given-options.ts";
import { repositoryName } from "./release/repository.ts";
import { mapped, SchemaTypes, sentencesIn, type Json } from "./schema-types.ts";

const FILE = "pulumi-provider/plugin/schema.json";
const REPOSITORY = repositoryName();

// A provider has the first four for all of its deployments, and the engine takes care of the rest.
const NOT_HERE = {
  controlPlaneUrl: true,
  tenantId: true,
  credential: true,
  fieldNames: true,
  customTimeouts: true,
  replaceOnChanges: true,
  retainOnDelete: true,
  secretSettings: true,
} as const;
// An API key that the environment gives stays out of every state.
const FROM_ENVIRONMENT: Readonly<Record<string, string>> = {
  controlPlaneUrl: "GRAPH_DEPLOY_URL",
  tenantId: "GRAPH_DEPLOY_TENANT_ID",
};
// Where a deployment is: what its provider was set to when it was made.
const PLACE = ["controlPlaneUrl", "tenantId"] as const;

/** The schema of the Pulumi plugin as JSON text, made from the shapes of its inputs and the comments of their types. */
export async function pluginSchema(): Promise<string> {
  const inputSentences = new Map([
    ...(await sentencesIn(GIVEN_OPTIONS)),
    ...(await sentencesIn("pulumi-provider/core/inputs/inputs.ts")),
  ]);
  const outputSentences = await sentencesIn("pulumi-provider/deployment.ts");
  const types = new SchemaTypes(inputSentences);
  const [roles, defaults]: readonly [Json, Json] = [INPUT_ROLES, DEFAULTS];

  const inputs = mapped(types.object(InputShapes.omit(NOT_HERE)).properties, (key, type) => ({
    ...asObject(type),
    ...(key === "secrets" ? { secret: true } : {}),
    ...(roles[key] === "identity" ? { replaceOnChanges: true } : {}),
  }));
  const reported = Object.fromEntries(
    OUTPUTS.map(({ name, type }) => [name, { type, description: outputSentences.get(name) }]),
  );
  const sourceFiles = {
    type: "object",
    additionalProperties: { type: "string" },
    description:
      "The files of the directory, each with a short hash; a directory with too many files is one entry, `PATH/`.",
  };
  const isSecret = (key: string) => SECRET_SETTINGS.some((name) => name === key);
  const asSetting = (key: string, type: Json[string]) => ({
    ...asObject(type),
    ...(isSecret(key) ? { secret: true } : {}),
  });
  const asGiven = (key: string, type: Json[string]) => {
    const variable = FROM_ENVIRONMENT[key];
    return { ...asObject(type), ...(variable === undefined ? {} : { defaultInfo: { environment: [variable] } }) };
  };
  const settings = mapped(types.object(SettingShapes).properties, asSetting);
  const place = Object.fromEntries(PLACE.map((key) => [key, settings[key]]));
  const functions = mapped(FUNCTIONS, (_token, { description, args, result }) => ({
    description,
    inputs: { type: "object", ...types.object(args) },
    outputs: { type: "object", ...types.object(result) },
  }));

  const schema = {
    name: "graph-deploy",
    displayName: "Graph Deploy",
    version: VERSION,
    description: "Deploys AI agents to an agent server platform, from a directory, a repository or an image.",
    keywords: ["pulumi", "agent-server", "deploy", "category/infrastructure", "kind/native"],
    homepage: `https://github.com/${REPOSITORY}`,
    repository: `https://github.com/${REPOSITORY}`,
    license: "MIT",
    publisher: "The graph-deploy authors",
    pluginDownloadURL: `github://api.github.com/${REPOSITORY}`,
    language: {
      nodejs: { packageName: "@graph-deploy/pulumi", respectSchemaVersion: true },
      python: { packageName: "pulumi_graph_deploy", pyproject: { enabled: true }, respectSchemaVersion: true },
      go: { importBasePath: `github.com/${REPOSITORY}/sdk/go/graphdeploy`, respectSchemaVersion: true },
      csharp: { rootNamespace: "Pulumi", respectSchemaVersion: true },
      java: { basePackage: "com.pulumi" },
    },
    config: { variables: mapped(settings, asGiven) },
    provider: {
      description: "A control plane, and who asks it. Two providers reach two control planes in one program.",
      inputProperties: mapped(settings, asGiven),
      properties: settings,
    },
    types: types.named,
    resources: {
      "graph-deploy:index:Deployment": {
        description: "A deployment of an agent, from a directory, a repository or an image.",
        inputProperties: mapped(inputs, (key, type) => ({
          ...asObject(type),
          ...(Object.hasOwn(defaults, key) ? { default: defaults[key] } : {}),
        })),
        requiredInputs: ["source"],
        properties: { ...inputs, ...reported, ...place, sourceFiles },
        required: ["name", "source"],
      },
    },
    functions,
  };
  return await formatted("schema.json", JSON.stringify(schema));
}

function asObject(type: unknown): Json {
  return { ...(typeof type === "object" ? type : {}) };
}

if (import.meta.main) await writeFile(join(projectRoot, FILE), await pluginSchema());
