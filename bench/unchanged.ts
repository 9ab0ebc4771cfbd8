import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, deploy, readSourceTree, Redactor, systemClock, type DeployRequest } from "../src/index.ts";
import { startLocalService } from "../src/local/index.ts";
import { digestSource } from "../src/source/archive/digest.ts";
import { bench, count, names } from "./options.ts";
import { runProcess } from "./process.ts";
import { runRounds, type Result, timed } from "./rounds.ts";
import { targetLine } from "./table.ts";
import { timesTable } from "./times.ts";
import { treeFolder, TREES } from "./trees.ts";

const NAMES = { ours: "deploy, unchanged", hash: "read and hash the tree", tar: "tar -c | sha256sum" };
const RATIO = 1.3;
// Below this the three requests and the hash of the secrets, some 30 ms together, are all there is.
const LEAST_SECONDS = 0.1;
const REQUESTS = 3;

/** Deploys a tree that is live already, with its record, against reading and hashing it alone. */
export const unchanged = bench(
  "deploying a source that is live already, against reading and hashing it",
  {
    tree: names("one of the trees", [...TREES.keys()], ["small-files", "mixed", "project"]),
    rounds: count("rounds, without the one that is dropped", 7),
  },
  async ({ tree, rounds }) => {
    const work = mkdtempSync(join(tmpdir(), "graph-deploy-bench-unchanged-"));
    try {
      for (const name of tree) await measure(name, rounds, work);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  },
);

async function measure(name: string, rounds: number, work: string): Promise<void> {
  const kind = TREES.get(name);
  if (kind === undefined) return;
  console.log(`\n${name}: ${kind.sentence}`);
  const folder = treeFolder(name, kind);
  const service = await startLocalService({ walkMilliseconds: 1 });
  const signal = new AbortController().signal;
  await using connection = connect({ url: service.url, signal, redactor: new Redactor() });
  const spoolDirectory = join(work, `spool-${name}`);
  mkdirSync(spoolDirectory);
  const deps = { ...connection, clock: systemClock, spoolDirectory, signal, emit: () => undefined };
  const request = requestFor(folder, join(work, `${name}.json`));
  await deploy(request, deps);
  let requests = 0;
  const ours = async () => {
    const before = service.requests.length;
    const { outcome } = await deploy(request, deps);
    if (outcome !== "unchanged") throw new Error(`the deploy ended as ${outcome}`);
    requests = service.requests.length - before;
  };
  const hash = async () => {
    const tree = await readSourceTree({
      directory: folder,
      graphConfig: "graph.json",
      include: [],
      exclude: [],
      signal,
    });
    await digestSource(tree, { signal });
  };
  const tar = () => runProcess("bash", ["-c", `tar -C "$0" -c . | sha256sum`, folder]);
  try {
    const cases = [timed(NAMES.ours, ours), timed(NAMES.hash, hash), { name: NAMES.tar, run: tar }];
    print(await runRounds(cases, rounds), requests);
  } finally {
    await service.close();
  }
}

function requestFor(directory: string, record: string): DeployRequest {
  return {
    target: { name: "support-agent" },
    source: {
      source: "internal_source",
      directory,
      workspace: directory,
      graphConfig: "graph.json",
      include: [],
      exclude: [],
      maxBytes: 1e9,
    },
    sourceConfig: {},
    secrets: [
      { name: "MODEL_API_KEY", value: "sk-0123456789abcdef" },
      { name: "SENTRY_DSN", value: "https://key@sentry.example/1" },
    ],
    wait: true,
    timeoutMilliseconds: 60_000,
    pollCapMilliseconds: 100,
    onSuperseded: "fail",
    smokeTest: true,
    record,
  };
}

function print(results: readonly Result[], requests: number): void {
  const [ours, hash] = results;
  if (ours === undefined || hash === undefined) return;
  for (const line of timesTable(results, hash)) console.log(line);
  const ratio = ours.bestSeconds / hash.bestSeconds;
  console.log("");
  if (hash.bestSeconds >= LEAST_SECONDS)
    console.log(targetLine(`at most ${RATIO} of reading and hashing`, ratio.toFixed(2), ratio <= RATIO));
  console.log(targetLine(`${REQUESTS} requests`, String(requests), requests === REQUESTS));
}
