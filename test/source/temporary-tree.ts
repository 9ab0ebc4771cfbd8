import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { readSourceTree, type SourceRequest, type SourceTree } from "../../src/source/tree/tree.ts";

/** What lies at a path: a file's text or bytes, a link, a program, or an empty folder. */
export type Node = string | Buffer | { readonly link: string } | { readonly program: string } | null;

export type Nodes = Readonly<Record<string, Node>>;

/** The smallest project that can be packed. */
export const PROJECT = {
  "graph.json": JSON.stringify({ graphs: { agent: "./agent.py:graph" }, dependencies: [".", "requests"] }),
  "agent.py": "graph = None\n",
} as const;

/** A new folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "source-test-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function writeNodes(folder: string, nodes: Nodes): void {
  for (const [path, node] of Object.entries(nodes)) {
    const file = join(folder, path);
    mkdirSync(node === null ? file : dirname(file), { recursive: true });
    if (node === null) continue;
    if (typeof node === "string" || Buffer.isBuffer(node)) writeFileSync(file, node);
    else if ("link" in node) symlinkSync(node.link, file);
    else {
      writeFileSync(file, node.program);
      chmodSync(file, 0o755);
    }
  }
}

/** A new folder with these nodes. */
export function temporaryTree(nodes: Nodes): string {
  const folder = temporaryFolder();
  writeNodes(folder, nodes);
  return folder;
}

export type RequestChanges = Partial<Omit<SourceRequest, "directory">>;

export function read(directory: string, changes: RequestChanges = {}): Promise<SourceTree> {
  const signal = new AbortController().signal;
  return readSourceTree({ directory, graphConfig: "graph.json", include: [], exclude: [], signal, ...changes });
}

/** The tree of a project with these nodes beside graph.json and agent.py. */
export function readNodes(nodes: Nodes, changes: RequestChanges = {}): Promise<SourceTree> {
  return read(temporaryTree({ ...PROJECT, ...nodes }), changes);
}

export function paths(tree: SourceTree): readonly string[] {
  return tree.entries.map(({ path }) => path);
}

/** What a project with these nodes holds beside graph.json and agent.py. */
export async function packedOf(nodes: Nodes, changes: RequestChanges = {}): Promise<readonly string[]> {
  return paths(await readNodes(nodes, changes)).filter((path) => !Object.hasOwn(PROJECT, path));
}

/** The error that a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<Error & { advice?: string; code?: string }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("it did not fail");
}
