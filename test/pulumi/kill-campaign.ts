import { setTimeout as sleep } from "node:timers/promises";
import type { DeploymentView } from "../../src/local/index.ts";
import { CliStack } from "../engine/cli-stack.ts";
import { isRunning, kill, type Listed } from "../engine/process-tree.ts";
import type { PulumiStack, RunResult, StackOptions } from "../engine/stack.ts";
import { inLanes } from "../fault/lanes.ts";
import { seeded } from "../fault/seeded.ts";
import { folder, image, type Described } from "./program.ts";
import { Stage, type ResourceType } from "./stage.ts";

const LANES = 3;
const NAME = "billing";
const THEIRS = "theirs";
// A provider looks each second whether its engine is still there. Then a request that writes runs to its end, which
// takes up to a minute where the service does not answer.
const LONGEST_END_MILLISECONDS = 100_000;
// Pulumi's own language host looks for its engine each five minutes. It writes nothing.
const LANGUAGE_HOST = /\/pulumi-language-\w+ /;

/** Where a campaign runs. */
export interface Battlefield {
  readonly packages: string;
  readonly open: (options: StackOptions) => Promise<PulumiStack>;
  /** The kinds of resource, by what a seed calls them. */
  readonly doors: Readonly<Record<string, ResourceType>>;
  /** Hears each kill as soon as it is judged. */
  readonly onKill?: (kill: Kill) => void;
}

/** What a run does that is killed. */
interface Operation {
  readonly before?: readonly Described[];
  readonly after: readonly Described[];
  /** How many requests it sends at the most. */
  readonly requests: number;
  readonly how?: "destroy" | "refresh";
  /** True where the deployment that was there is another one afterwards. */
  readonly replaces?: true;
}

const SECRETS = { secrets: { TOKEN: { $secret: "sk-plain-token" } } };
const renamed = image("invoices", { name: NAME, adopt: "ifExists" });

const OPERATIONS: Readonly<Record<string, Operation>> = {
  "a create of an image": { after: [image(NAME)], requests: 5 },
  "a create with a secret": { after: [image(NAME, SECRETS)], requests: 5 },
  "a create of a directory": { after: [folder(NAME)], requests: 8 },
  "three creates": { after: [image(NAME), folder("support"), image("tools")], requests: 18 },
  "an update of an image": {
    before: [image(NAME)],
    after: [image(NAME, { imageUri: "registry.example/agent:2" })],
    requests: 4,
  },
  "an update of a directory": {
    before: [folder(NAME)],
    after: [folder(NAME, { directory: { path: "other" } })],
    requests: 6,
  },
  "a rename that adopts": { before: [image(NAME)], after: [renamed], requests: 5 },
  "a replacement": { before: [image(NAME)], after: [folder(NAME)], requests: 10, replaces: true },
  "a delete": { before: [image(NAME), image("tools")], after: [image("tools")], requests: 3 },
  "a refresh": { before: [image(NAME)], after: [image(NAME)], requests: 2, how: "refresh" },
  "a destroy": { before: [image(NAME), folder("support")], after: [], requests: 5, how: "destroy" },
};

const VICTIMS = ["engine", "provider"] as const;

/** One run that was killed, and what became of it. */
export interface Kill {
  readonly seed: string;
  /** What was killed, where. */
  readonly what: string;
  /** False where the run had ended before the request at which it was to be killed. */
  readonly killed: boolean;
  /** What is wrong afterwards; empty where nothing is. */
  readonly faults: readonly string[];
}

/** Kills one run for each seed; every one has a service, a program and a stack of its own. */
export async function killCampaign(seeds: readonly string[], field: Battlefield): Promise<readonly Kill[]> {
  return await inLanes(LANES, seeds, async (seed) => {
    const kill = await killOne(seed, field);
    field.onKill?.(kill);
    return kill;
  });
}

/** The sum of a campaign in one line, and a line for each kill that left something wrong. */
export function killReport(kills: readonly Kill[]): readonly string[] {
  const killed = kills.filter((one) => one.killed);
  const bad = kills.filter(({ faults }) => faults.length > 0);
  const sum = `${String(killed.length)} kills, ${String(kills.length - killed.length)} runs that ended before`;
  return [`${sum}: ${String(bad.length)} left something lost, doubled, foreign or leaked`, ...bad.map(killLine)];
}

/** One kill in one line. */
export function killLine({ seed, what, killed, faults }: Kill): string {
  const end = faults.length > 0 ? faults.join("; ") : killed ? "nothing is wrong" : "it had ended before";
  return `${seed}: ${what}: ${end}`;
}

async function killOne(seed: string, { packages, open, doors }: Battlefield): Promise<Kill> {
  const random = seeded(seed);
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
  const [door, type] = pick(Object.entries(doors));
  const [name, operation] = pick(Object.entries(OPERATIONS));
  const victim = pick(VICTIMS);
  const when = pick(["before", "after"] as const);
  const skip = Math.floor(random() * operation.requests);
  const isRace = random() < 0.5;
  const what = `${door}: the ${victim} ${when} request ${String(skip + 1)} of ${name}`;
  await using stage = await Stage.open({ packages, type, open });
  const scene = new Scene(stage, operation);
  await scene.prepare();
  const killed = await scene.killAt(victim, { skip, when });
  if (isRace) await scene.race();
  await scene.finish();
  return { seed, what, killed, faults: scene.faults };
}

/** One kill: what was there before it, and all that is wrong after it. */
class Scene {
  readonly faults: string[] = [];
  readonly #stage: Stage;
  readonly #operation: Operation;
  // What others made: it must be there to the end.
  readonly #foreign: DeploymentView[] = [];
  #before = new Map<string, string>();

  constructor(stage: Stage, operation: Operation) {
    this.#stage = stage;
    this.#operation = operation;
  }

  async prepare(): Promise<void> {
    const stage = this.#stage;
    await this.#makeForeign(THEIRS);
    await stage.program.write(
      "other/graph.json",
      JSON.stringify({ graphs: { a: "./a.py:graph" }, dependencies: ["."] }),
    );
    await stage.program.write("other/a.py", "graph = 2\n");
    const { before } = this.#operation;
    if (before !== undefined) await stage.deploy(...before);
    this.#before = new Map(this.#own().map(({ name, id }) => [name, id]));
    await stage.describe(...this.#operation.after);
  }

  /** Runs the operation, and kills a process once the service has this request; false where it never came. */
  async killAt(
    victim: (typeof VICTIMS)[number],
    { skip, when }: { readonly skip: number; readonly when: "after" | "before" },
  ): Promise<boolean> {
    const { service, stack } = this.#stage;
    const stall = service.faults.add({
      match: { server: "service" },
      ...{ skip, times: Number.POSITIVE_INFINITY, do: { kind: "stall", when } },
    });
    const over = new AbortController();
    const running = this.#run().finally(() => {
      over.abort();
    });
    while (!over.signal.aborted && stall.hits === 0) await sleep(10);
    const killed = stall.hits > 0;
    if (killed && victim === "provider") await stack.killProvider();
    else if (killed && stack instanceof CliStack) await this.#expectEnded(await stack.killEngine());
    else if (killed) await stack.interrupt();
    await running;
    service.faults.clear();
    return killed;
  }

  /** Somebody else makes a deployment of the name that a killed create had not come to make. */
  async race(): Promise<void> {
    const { before, after } = this.#operation;
    const isFree = !this.#stage.service.deployments().some(({ name }) => name === NAME);
    // A directory would rightly be refused where somebody else deploys an image.
    const isAlike = before === undefined && after[0]?.args?.["source"] === "external_docker";
    if (isFree && isAlike) await this.#makeForeign(NAME);
  }

  /** What a user does next: an up, one that adopts where the name is in use, and a destroy. */
  async finish(): Promise<void> {
    const stage = this.#stage;
    const { after } = this.#operation;
    let up = await stage.up();
    if (!up.ok && /already exists|was not created/.test(textOf(up))) {
      await stage.describe(...after.map((one) => ({ ...one, args: { ...one.args, adopt: "ifExists" } })));
      up = await stage.up();
    }
    if (!up.ok) this.faults.push(`red: ${textOf(up)}`);
    await this.#expectWhole();
    const destroyed = await stage.destroy();
    if (!destroyed.ok) this.faults.push(`red destroy: ${textOf(destroyed)}`);
    const text = textOf(destroyed) + textOf(up);
    for (const { id, name } of this.#own()) {
      if (!text.includes(id)) this.faults.push(`leaked: ${name} ${id} is left and not told`);
    }
    for (const { id, name } of this.#foreign) {
      if (!stage.service.deployments().some((one) => one.id === id)) this.faults.push(`foreign: ${name} was deleted`);
    }
  }

  async #expectWhole(): Promise<void> {
    const stage = this.#stage;
    const { after, replaces } = this.#operation;
    const { resources } = await stage.stack.exported();
    const wanted = new Set(after.map((one) => (one.args?.["name"] as string | undefined) ?? one.name));
    const all = stage.service.deployments();
    for (const name of wanted) {
      const [one, ...others] = all.filter((deployment) => deployment.name === name);
      if (one === undefined) this.faults.push(`lost: there is no ${name}`);
      if (others.length > 0) this.faults.push(`doubled: ${name} is there ${String(others.length + 1)} times`);
      const holders = resources.filter(({ id }) => id === one?.id);
      if (holders.length !== 1) this.faults.push(`lost: ${String(holders.length)} resources hold ${name}`);
      const before = this.#before.get(name);
      if (before !== undefined && replaces === undefined && one?.id !== before) {
        this.faults.push(`lost: ${name} is another deployment`);
      }
      const revisions = one === undefined ? [] : stage.service.revisions(one.id);
      if (revisions[0]?.status !== "DEPLOYED")
        this.faults.push(`lost: ${name} is ${revisions[0]?.status ?? "nothing"}`);
    }
    for (const { name, id } of this.#own()) {
      if (!wanted.has(name)) this.faults.push(`leaked: ${name} ${id} is in the service and not in the program`);
    }
    const theirs = this.#foreign[0];
    if (theirs !== undefined && stage.service.revisions(theirs.id).length !== 1) {
      this.faults.push(`foreign: ${theirs.name} has another revision`);
    }
  }

  #own(): readonly DeploymentView[] {
    const foreign = new Set(this.#foreign.map(({ id }) => id));
    return this.#stage.service.deployments().filter(({ id }) => !foreign.has(id));
  }

  #run(): Promise<RunResult> {
    const stage = this.#stage;
    const { how } = this.#operation;
    return how === "destroy" ? stage.destroy() : how === "refresh" ? stage.refresh() : stage.up();
  }

  async #makeForeign(name: string): Promise<void> {
    this.#foreign.push(await this.#stage.foreignImage(name, "registry.example/agent:1"));
  }

  /** What an engine leaves behind must not work on beside the next run. */
  async #expectEnded(left: readonly Listed[]): Promise<void> {
    const until = performance.now() + LONGEST_END_MILLISECONDS;
    const isHost = ({ args }: Listed) => LANGUAGE_HOST.test(args);
    for (const { pid } of left.filter(isHost)) kill(pid);
    const ours = left.filter((one) => !isHost(one));
    while (ours.some(({ pid }) => isRunning(pid)) && performance.now() < until) await sleep(100);
    for (const { pid, args } of ours.filter((one) => isRunning(one.pid))) {
      this.faults.push(`a process is left: ${args.slice(0, 120)}`);
      kill(pid);
    }
  }
}

function textOf({ diagnostics }: RunResult): string {
  return diagnostics.map(({ message }) => message).join("\n");
}
