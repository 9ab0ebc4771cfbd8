/** A program that names every input and reads every output, each input as an output too; no line of it may be wrong. */
export const RIGHT = `
import * as pulumi from "@pulumi/pulumi";
import {
  AgentDeployment, Deployment, getDeployment, getDeploymentOutput,
  type AgentDeploymentArgs, type DeploymentArgs, type DeploymentInfo, type LookupArgs, type SourceName,
} from "graph-deploy/pulumi";

type IsAny<T> = 0 extends 1 & T ? true : false;
type Equal<A, B> = [A, B] extends [B, A] ? true : false;

const config = new pulumi.Config();
const folder = new Deployment("folder", { source: "internal_source", directory: { path: "agent" } });
const text: pulumi.Output<string> = folder.sourceHash;
const all = new Deployment(
  "all",
  {
    source: "internal_source",
    name: folder.name,
    directory: { path: text, include: [text, "a"], exclude: pulumi.output(["b"]) },
    graphConfigPath: text,
    sourceConfig: { build_on_push: pulumi.output(false), resource_spec: { cpu: pulumi.output(1), list: [text] } },
    secrets: { A: config.requireSecret("a"), B: "b" },
    secretsFromEnv: { C: text },
    ignoreSecretChanges: [text],
    triggers: [text, 1, { a: text }],
    wait: pulumi.output(true),
    timeoutSeconds: pulumi.output(5),
    adopt: pulumi.output("ifExists" as const),
    onDelete: "retain",
    deletionProtection: pulumi.output(true),
    revisionDrift: "ignore",
    controlPlaneUrl: address(),
    tenantId: text,
    credential: { env: text },
    fieldNames: { name: text },
  },
  { customTimeouts: { create: "5m" }, replaceOnChanges: ["triggers"], dependsOn: folder },
);
new Deployment("whole", {
  source: "internal_source",
  directory: pulumi.output({ path: "a" }),
  sourceConfig: pulumi.output({ build_on_push: false }),
  secrets: pulumi.secret({ A: "x" }),
  secretsFromEnv: pulumi.output({ B: "C" }),
  triggers: pulumi.output(["a"]),
  credential: pulumi.output({ config: "k" }),
  adopt: "never",
});
const github = new Deployment("github", { source: "github", repoRef: text, graphConfigPath: "x.json" });
const image = new Deployment("image", { source: "external_docker", imageUri: pulumi.interpolate\`r/\${text}\` });
const source: SourceName = "github";
const either: DeploymentArgs = source === "github" ? { source, repoRef: "main" } : { source: "external_docker", imageUri: "i" };
const mixed: Deployment = new Deployment("mixed", either);
const deployments: Deployment[] = [folder, all, github, image, mixed];
const agentArgs: AgentDeploymentArgs<"external_docker"> = { source: "external_docker", imageUri: "i", readiness: false };
const agent = new AgentDeployment("agent", agentArgs, { parent: folder });
const place: LookupArgs = { controlPlaneUrl: text, credential: { config: text } };
const found = Deployment.get("found", folder.id, place, { protect: true });
const asked: pulumi.Output<DeploymentInfo> = getDeploymentOutput({ id: folder.id, tenantId: text });
const byName = getDeploymentOutput(pulumi.output({ name: "a" }));
const promised: Promise<DeploymentInfo> = getDeployment({ name: "a" });
function address(): pulumi.Output<string> {
  return text;
}

export const types: readonly true[] = [
  true satisfies Equal<typeof folder.sourceSummary, pulumi.Output<string>>,
  true satisfies Equal<typeof github.sourceHash, pulumi.Output<undefined>>,
  true satisfies Equal<typeof image.source, pulumi.Output<"external_docker">>,
  true satisfies Equal<typeof mixed.sourceHash, pulumi.Output<string | undefined>>,
  true satisfies Equal<typeof all.id, pulumi.Output<string>>,
  true satisfies Equal<typeof all.name, pulumi.Output<string>>,
  true satisfies Equal<typeof all.url, pulumi.Output<string | undefined>>,
  true satisfies Equal<typeof all.status, pulumi.Output<string | undefined>>,
  true satisfies Equal<typeof all.latestRevisionId, pulumi.Output<string | undefined>>,
  true satisfies Equal<typeof all.managedRevisionId, pulumi.Output<string | undefined>>,
  true satisfies Equal<typeof all.createdAt, pulumi.Output<string | undefined>>,
  true satisfies Equal<typeof found.url, pulumi.Output<string | undefined>>,
  true satisfies Equal<typeof agent.url, pulumi.Output<string | undefined>>,
  true satisfies Equal<typeof agent.deploymentId, pulumi.Output<string>>,
  true satisfies Equal<Awaited<typeof promised>["status"], string | undefined>,
];
// A type that cannot be found is any, and any passes every other check.
export const none: readonly false[] = [
  false satisfies IsAny<typeof folder>,
  false satisfies IsAny<typeof folder.sourceHash>,
  false satisfies IsAny<typeof agent.deployment>,
  false satisfies IsAny<DeploymentArgs>,
  false satisfies IsAny<typeof asked>,
  false satisfies IsAny<typeof byName>,
];
export { deployments };
`;

const MISTAKES = [
  'new Deployment("x", { ...folder, imageUri: "i" });',
  'new Deployment("x", { source: "internal_source", directory: { path: "agent" }, imageUri: "i" });',
  'new Deployment("x", { source: "github", repoRef: "main", directory: { path: "agent" } });',
  'new Deployment("x", { source: "github", graphConfigPath: "graph.json" });',
  'new Deployment("x", { source: "internal_source" });',
  'new Deployment("x", { source: "external_docker" });',
  'new Deployment("x", { source: "external_docker", imageUri: "i", graphConfigPath: "a" });',
  'new Deployment("x", { ...image, credential: { env: "A", config: "b" } });',
  'new Deployment("x", { ...image, credential: "key" });',
  'new Deployment("x", { ...image, credential: {} });',
  'new Deployment("x", { ...image, adopt: "maybe" });',
  'new Deployment("x", { ...image, adopt: pulumi.output("maybe") });',
  'new Deployment("x", { ...image, onDelete: "keep" });',
  'new Deployment("x", { ...image, revisionDrift: "keep" });',
  'new Deployment("x", { ...image, apiKey: "k" });',
  'new Deployment("x", { source: "external_docker", imageUri: "i", unknownKey: 1 });',
  'new Deployment("x", { source: pulumi.output("external_docker" as const), imageUri: "i" });',
  'new Deployment("x", { source: "internal_docker", imageUri: "i" });',
  'new Deployment("x", { ...image, secrets: { A: 1 } });',
  'new Deployment("x", { ...image, secrets: { A: undefined } });',
  'new Deployment("x", { source: "internal_source", directory: { path: "a", ignore: ["b"] } });',
  'new Deployment("x", { source: "internal_source", directory: "a" });',
  'new AgentDeployment("x", { ...folder, repoRef: "main" });',
  'new AgentDeployment("x", { ...folder, readiness: "yes" });',
  'new AgentDeployment("x", { ...image }).deployment.sourceHash.apply((hash: string) => hash);',
  "void getDeployment({});",
  'void getDeployment({ id: "a", name: "b" });',
  'void getDeployment({ name: pulumi.output("b") });',
  'getDeploymentOutput({ id: pulumi.output("a"), name: "b" });',
  'new Deployment("x", image).url = pulumi.output("a");',
  '((text: pulumi.Output<string>) => text)(new Deployment("x", image).sourceHash);',
  '((text: pulumi.Input<string>) => text)(new Deployment("x", image).sourceHash);',
];

/** Programs that each make one mistake; every one must be found. */
export const WRONG = [
  'import * as pulumi from "@pulumi/pulumi";',
  'import { AgentDeployment, Deployment, getDeployment, getDeploymentOutput } from "graph-deploy/pulumi";',
  'const folder = { source: "internal_source", directory: { path: "agent" } } as const;',
  'const image = { source: "external_docker", imageUri: "i" } as const;',
  ...MISTAKES.map((mistake) => `// @ts-expect-error\n${mistake}`),
].join("\n");
