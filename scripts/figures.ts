import { readFileSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { projectRoot, runCommand } from "./command.ts";
import { calledOnce } from "./figures/called-once.ts";
import { deployFrames } from "./figures/deploy-frames.ts";
import { distFilesOfAChange } from "./figures/dist-change.ts";
import { fieldPlaces } from "./figures/field-places.ts";
import { inputFiles } from "./figures/input-files.ts";
import { outcomePlaces } from "./figures/outcome-places.ts";
import { lineCount, readSources, trackedFiles, type Source } from "./figures/sources.ts";

// `npm run figures` measures how much there is to hold in mind. `-- --at REV` measures a revision, `-- --list` also prints
// what was counted, `-- --dist` bundles four times, and `-- --timed` runs `npm run check` and `npm test`.
const { values } = parseArgs({
  options: {
    at: { type: "string" },
    list: { type: "boolean", default: false },
    dist: { type: "boolean", default: false },
    timed: { type: "boolean", default: false },
  },
});
const SHORT_LINES = 5;

if (values.at === undefined) await printFigures(projectRoot);
else await atRevision(values.at, printFigures);

async function printFigures(root: string): Promise<void> {
  const sources = readSources(root);
  const lines = sources.reduce((sum, source) => sum + lineCount(source), 0);
  print("source lines", lines, [`${String(sources.length)} files of src, front, action and pulumi-provider`]);
  const tests = trackedFiles(root, ["test"]).filter((path) => path.endsWith(".ts"));
  const testLines = tests.reduce(
    (sum, path) => sum + lineCount({ path, text: readFileSync(join(root, path), "utf8") }),
    0,
  );
  print("test lines", testLines, [`${String(tests.length)} files of test; tables and stored files are data`]);
  const undefineds = sources.reduce((sum, { text }) => sum + (text.match(/\bundefined\b/g) ?? []).length, 0);
  print("`undefined` in 1,000 lines", Math.round((undefineds / lines) * 1000), [`${String(undefineds)} in all`]);
  printCalledOnce(sources);
  const places = outcomePlaces(root);
  print("places that spell outcomes of a deploy", places.length, ["two words or more, asked for or tabulated"], places);
  const files = inputFiles(root);
  print(
    "files for an input of deploy",
    files.length,
    ["those that spell allow-secrets-in-source, but for its work, advice and what is generated"],
    files,
  );
  const field = fieldPlaces(root);
  if (field) {
    const note = `three schemas, and what the compiler names; with the field in one schema it names ${String(field.forgotten)}`;
    print("places for a new field of a deployment", field.places.length, [note], field.places);
  }
  for (const [kind, frames] of await deployFrames(root)) {
    print(`frames from main to deploy(), ${kind}`, frames.length, ["on the stack of a step, async ones too"], frames);
  }
  if (values.dist) {
    const { sentence, imported } = await distFilesOfAChange(root);
    print("files of dist for one more word in a sentence", sentence, ["the most of two sentences"]);
    print("files of dist for one more import", imported, ["in a module of src/deployment"]);
  }
  if (!values.timed) return;
  await printTime("`npm run check`, warm", root, ["run", "check"], 2);
  await printTime("`npm test`", root, ["test"], 1);
}

function print(name: string, value: number, notes: readonly string[], counted: readonly string[] = []): void {
  console.log(`${name.padEnd(66)} ${value.toLocaleString("en").padStart(7)}   ${notes.join(", ")}`);
  if (values.list) for (const one of counted) console.log(`    ${one}`);
}

/** The rooms with the most follow in a line each. */
function printCalledOnce(sources: readonly Source[]): void {
  const found = sources.flatMap(calledOnce);
  const short = found.filter(({ lines }) => lines <= SHORT_LINES);
  const all = found.map(({ path, name, lines }) => `${path} ${name} ${String(lines)}`);
  const note = `${String(short.length)} of ${String(SHORT_LINES)} lines or fewer`;
  print("private functions called once", found.length, [note], all);
  const rooms = Map.groupBy(found, ({ path }) => path.split("/").slice(0, 2).join("/"));
  for (const [room, { length }] of [...rooms].toSorted(([, a], [, b]) => b.length - a.length)) {
    print(`    ${room}`, length, []);
  }
}

/** The shortest of so many runs. */
async function printTime(name: string, root: string, args: readonly string[], runs: number): Promise<void> {
  const seconds: number[] = [];
  let ended = "passed";
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now();
    const { exitCode } = await runCommand("npm", args, root);
    seconds.push(Math.round((performance.now() - start) / 1000));
    if (exitCode !== 0) ended = "FAILED";
  }
  print(`seconds of ${name}`, Math.min(...seconds), [ended]);
}

/** Gives `work` a checkout of a revision, with the packages of this one. */
async function atRevision(revision: string, work: (root: string) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "figures-"));
  const git = async (...args: readonly string[]) => {
    const { exitCode, output } = await runCommand("git", args, projectRoot);
    if (exitCode !== 0) throw new Error(output.trim());
  };
  try {
    await git("worktree", "add", "--force", "--detach", root, revision);
    await symlink(join(projectRoot, "node_modules"), join(root, "node_modules"));
    await work(root);
  } finally {
    await git("worktree", "remove", "--force", root);
    await rm(root, { recursive: true, force: true });
  }
}
