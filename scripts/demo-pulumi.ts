import { appendFile, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { connect, deploy, systemClock } from "../src/index.ts";
import { startLocalService, type LocalService } from "../src/local/index.ts";
import { CliStack } from "../test/engine/cli-stack.ts";
import { findPulumiCli } from "../test/engine/pulumi-cli.ts";
import { SmallStack } from "../test/engine/small-stack.ts";
import type { PulumiStack } from "../test/engine/stack.ts";
import { projectRoot } from "./command.ts";
import { heading, print } from "./demo-screen.ts";
import { runStep, type DemoStep } from "./demo-stack.ts";
import { installPackages } from "./program-packages.ts";

/** The life of examples/pulumi on the local service, without an account: from the first preview to the destroy. */
const API_KEY = "demo-key-that-opens-nothing-else";
const MODEL_KEY = "model-key-that-opens-nothing-either";

// The component, the deployment, and whether its agent answers.
const RESOURCES = 3;

async function demo(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "graph-deploy-demo-"));
  const ending = new AbortController();
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      ending.abort();
    });
  }
  try {
    await using service = await startLocalService({ apiKey: API_KEY, walkMilliseconds: 1_000 });
    heading(`The local service listens on ${service.url}`);
    for (const example of ["agent", "pulumi"]) {
      await cp(join(projectRoot, "examples", example), join(folder, example), { recursive: true });
    }
    const program = join(folder, "pulumi");
    await installPackages(program);
    await using stack = await openStack(program, service.url);
    ending.signal.addEventListener("abort", () => void stack.interrupt());
    print([`examples/pulumi and this package are in ${program}, on ${engineName(stack)}`]);
    return (await walk(stack, { service, agent: join(folder, "agent"), signal: ending.signal })) ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function openStack(directory: string, url: string): Promise<PulumiStack> {
  const config = {
    "graph-deploy:controlPlaneUrl": url,
    "graph-deploy:apiKey": { secret: API_KEY },
    "support-desk:modelApiKey": { secret: MODEL_KEY },
  };
  const options = { directory, project: "support-desk", stack: "demo", config };
  const cli = findPulumiCli(process.env);
  return cli === undefined ? new SmallStack(options) : await CliStack.open(options, cli);
}

function engineName({ engine }: PulumiStack): string {
  return engine === "cli" ? "the Pulumi CLI" : "the engine of the tests, since there is no Pulumi CLI here";
}

interface Place {
  readonly service: LocalService;
  /** The folder of the agent. */
  readonly agent: string;
  readonly signal: AbortSignal;
}

/** True when every step ended as it must; the first that does not is the last. */
async function walk(stack: PulumiStack, { service, agent, signal }: Place): Promise<boolean> {
  const tally = () => ({
    requests: service.requests.length,
    // The source is uploaded for one that exists, so that the first one of a deployment is made by a patch, too.
    revisions: service.requests.filter(({ method }) => method === "PATCH").length,
  });
  for (const step of stepsOf(service.url, agent)) {
    await step.before?.();
    if (signal.aborted || !(await runStep(stack, step, tally))) return false;
  }
  if (service.deployments().length > 0) return false;
  heading("What now");
  print([
    "examples/pulumi/README.md runs it with a service of your own; docs/pulumi.md has all inputs and outputs.",
    "docs/pulumi-plugin.md is for programs in other languages.",
  ]);
  return true;
}

function stepsOf(url: string, agent: string): readonly DemoStep[] {
  const made = { changes: { create: RESOURCES } };
  const revised = { about: "a file of the agent has changed", changes: { update: RESOURCES - 1, same: 1 } };
  return [
    { command: "preview", about: "what would be created", ...made, revisions: 0, requests: 0 },
    { command: "up", about: "create it", ...made, revisions: 1 },
    { command: "up", about: "nothing has changed", changes: { same: RESOURCES }, revisions: 0, requests: 0 },
    { command: "preview", ...revised, revisions: 0, requests: 0, before: () => changeFile(agent) },
    { command: "up", ...revised, revisions: 1 },
    {
      command: "refresh",
      about: "another user has deployed",
      changes: { update: 1, same: RESOURCES - 1 },
      revisions: 0,
      before: () => deployFromOutside(url, agent),
    },
    { command: "destroy", about: "leave nothing", changes: { delete: RESOURCES }, revisions: 0 },
  ];
}

async function changeFile(agent: string): Promise<void> {
  await appendFile(join(agent, "support_desk", "articles.py"), "\n# One more article to come.\n");
}

/** As the action does it, from another machine. */
async function deployFromOutside(url: string, directory: string): Promise<void> {
  const signal = new AbortController().signal;
  await using service = connect({ url, apiKey: API_KEY });
  await deploy(
    {
      target: { name: "support-agent" },
      source: {
        source: "internal_source",
        directory,
        graphConfig: "graph.json",
        include: [],
        exclude: [],
        maxBytes: 1_000_000,
      },
      sourceConfig: {},
      secrets: undefined,
      wait: true,
      timeoutMilliseconds: 60_000,
      pollCapMilliseconds: 1_000,
      onSuperseded: "fail",
      smokeTest: false,
    },
    { ...service, clock: systemClock, spoolDirectory: dirname(directory), signal, emit: () => undefined },
  );
}

process.exitCode = await demo();
