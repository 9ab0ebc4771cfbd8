import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPackages } from "../scripts/program-packages.ts";

/** What a program makes many of. */
export type Kind = "folders" | "images" | "nothings" | "secrets";

const FILES = 20;
const BYTES = 4_000;

// A resource of which only the engine has work.
const NOTHING = `exports.handler = () => ({
  check: async (olds, inputs) => ({ inputs }),
  diff: async () => ({ changes: false }),
  create: async () => ({ id: "1", outs: {} }),
  delete: async () => {},
});`;

const PROGRAMS: Readonly<Record<Kind, (name: string) => string>> = {
  // The secrets of each resource are read from the environment, as those of most agents of one program are.
  secrets: (name) =>
    `new Deployment(${name}, { source: "external_docker", imageUri: "registry.example/agent:1", secrets: { MODEL_API_KEY: "sk-of-the-bench" }, secretsFromEnv: { STORE_KEY: "BENCH_STORE_KEY" } })`,
  images: (name) => `new Deployment(${name}, { source: "external_docker", imageUri: "registry.example/agent:1" })`,
  folders: (name) => `new Deployment(${name}, { source: "internal_source", directory: { path: ${name} } })`,
  nothings: (name) =>
    `new CustomResource("pulumi-nodejs:dynamic:Nothing", ${name}, { __provider: ${JSON.stringify(NOTHING)} })`,
};

/** A directory with a program of each kind, `KIND.mjs`, and their packages. */
export class Programs {
  readonly directory = mkdtempSync(join(tmpdir(), "graph-deploy-bench-pulumi-"));

  /** Programs that make `count` resources each. */
  static async create(count: number): Promise<Programs> {
    const programs = new Programs();
    const { directory } = programs;
    const names = Array.from({ length: count }, (_, index) => `agent-${index}`);
    for (const [kind, make] of Object.entries(PROGRAMS)) {
      const imports = `import { CustomResource } from "@pulumi/pulumi";\nimport { Deployment } from "graph-deploy/pulumi";`;
      const text = `${imports}\nfor (const name of ${JSON.stringify(names)}) ${make("name")};\n`;
      writeFileSync(join(directory, `${kind}.mjs`), text);
    }
    // An engine wants to know which program is meant, even where each run names its own.
    writeFileSync(join(directory, "package.json"), JSON.stringify({ main: "nothings.mjs" }));
    for (const name of names) writeAgent(join(directory, name), name);
    await installPackages(directory);
    return programs;
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A small project; no two have a file in common. */
function writeAgent(folder: string, name: string): void {
  mkdirSync(folder);
  writeFileSync(
    join(folder, "graph.json"),
    JSON.stringify({ graphs: { agent: "./part_0.py:graph" }, dependencies: ["."] }),
  );
  for (let part = 0; part < FILES; part++) {
    writeFileSync(join(folder, `part_${part}.py`), `graph = "${name} ${part}"\n`.padEnd(BYTES, "# more of it\n"));
  }
}
