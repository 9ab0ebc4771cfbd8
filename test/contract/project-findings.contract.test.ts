import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { SourceTreeError } from "../../src/source/entry/errors.ts";
import { call, create, patch, settled, start, upload } from "../local/caller.ts";
import { tarball } from "../local/tarball.ts";
import { paths, read, temporaryTree } from "../source/temporary-tree.ts";

const Case = z.strictObject({
  about: z.string(),
  /** The project, from the files' root; that is the project itself if absent. */
  directory: z.string().default("."),
  files: z.record(z.string(), z.string()),
  /** What keeps it from being packed. */
  errors: z.array(z.string()),
  /** What does not, and is shown. */
  warnings: z.array(z.string()),
  graphs: z.array(z.string()).optional(),
  packed: z.array(z.string()).optional(),
});

const directory = join(import.meta.dirname, "../fixtures/projects");
const CASES = readdirSync(directory).map((file) => {
  const read = Case.parse(JSON.parse(readFileSync(join(directory, file), "utf8")));
  return { name: file.replace(/\.json$/, ""), ...read };
});
const sentence = (clauses: readonly string[]) =>
  clauses.length === 0 ? [] : [`The project may not build or run: ${clauses.join("; ")}.`];

test.each(CASES)("a project is treated as stands beside it $name: $about", async (given) => {
  const root = temporaryTree({ ".git/HEAD": "", ...given.files });
  const reading = read(join(root, given.directory));
  if (given.errors.length === 0) {
    const tree = await reading;
    expect(tree.graphs.map(({ id }) => id)).toEqual(given.graphs);
    expect(tree.warnings).toEqual(sentence(given.warnings));
    if (given.packed !== undefined) expect(paths(tree)).toEqual(given.packed);
    return;
  }
  const error: unknown = await reading.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(error instanceof SourceTreeError ? error.faults : [(error as Error).message]).toEqual(given.errors);
});

// What an ignore file leaves out is not in the archive, and its rule is not known there.
const built = CASES.filter(({ files }) => !Object.hasOwn(files, ".gitignore"));

test.each(built)("the build of the local service says the same $name: $about", async (given) => {
  const service = await start();
  const { id } = await create(service);
  const entries = Object.entries(given.files).map(([path, content]) => ({ path, content }));
  const graph_config_path = join(given.directory, "graph.json");
  const source_tarball_path = await upload(service, id, tarball(entries));
  await patch(service, id, { source_revision_config: { source_tarball_path, graph_config_path } });
  const revisionId = service.deployments()[0]?.latest_revision_id ?? "";
  const { status } = await settled(service, id, revisionId);
  expect(status).toBe(given.errors.length === 0 ? "DEPLOYED" : "BUILD_FAILED");
  const { json } = await call(service.url, "POST", `/v1/projects/${id}/revisions/${revisionId}/build_logs`, {
    json: {},
  });
  const { logs } = z.object({ logs: z.array(z.object({ level: z.string(), message: z.string() })) }).parse(json);
  const of = (level: string) => logs.filter((line) => line.level === level).map(({ message }) => message);
  if (given.errors.length > 0) {
    expect(of("ERROR")).not.toEqual([]);
    return;
  }
  const here = (clause: string) => clause.replace("does not exist", "is not in the archive");
  expect(of("WARNING")).toEqual(given.warnings.map((clause) => `${graph_config_path}: ${here(clause)}`));
  expect(of("ERROR")).toEqual([]);
});
