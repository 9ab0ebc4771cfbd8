import {
  appendFile,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * A resource as the program makes it; `get` reads one that exists. `Plain` is of another dynamic provider, whose outputs
 * are what it sees of the stack; `Provider` is a provider of the plugin. See programs/described.mjs for what args may hold.
 */
export interface Described {
  readonly name: string;
  readonly kind?: "AgentDeployment" | "Deployment" | "Plain" | "Provider";
  readonly get?: unknown;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** What a program knows of a deployment, as outputs of the stack. */
const KNOWN = [
  ...["id", "name", "source", "latestRevisionId", "managedRevisionId", "status", "url"],
  ...["sourceHash", "sourceSummary", "createdAt", "deploymentId"],
  ...["project", "stack", "value"],
];

/** A project of an agent, and the Pulumi program that deploys it: a folder of its own under the system's temporary one. */
export class Program {
  readonly directory: string;
  #module: string;

  private constructor(directory: string, module: string) {
    this.directory = directory;
    this.#module = module;
  }

  /** `packages` is the node_modules that the program finds its packages in; `module` is what it imports. */
  static async create(packages: string, module: string): Promise<Program> {
    const program = new Program(await mkdtemp(join(tmpdir(), "pulumi-program-")), module);
    const { directory } = program;
    await symlink(packages, join(directory, "node_modules"));
    await copyFile(join(import.meta.dirname, "programs/described.mjs"), join(directory, "index.mjs"));
    await program.write(
      "agent/graph.json",
      JSON.stringify({ graphs: { support: "./support.py:graph" }, dependencies: [".", "requests"] }),
    );
    await program.write("agent/support.py", "graph = 1\n");
    await program.write("package.json", '{ "name": "agents", "private": true }');
    await program.describe([]);
    return program;
  }

  /** Has the next programs import another module. */
  use(module: string): void {
    this.#module = module;
  }

  /** Says what the next run makes, and what it looks up with `getDeployment`. */
  async describe(resources: readonly Described[], lookups: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const described = resources.map((one) => ({ kind: "Deployment", args: {}, options: {}, ...one }));
    const description = { module: this.#module, knows: KNOWN, resources: described, lookups };
    await this.write("description.json", JSON.stringify(description));
  }

  /** Writes a file of the program's folder: `agent/…` is what is deployed. */
  async write(file: string, text: string): Promise<void> {
    const path = join(this.directory, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  /** Puts another version of the package in the place of the installed one; its provider prints `line` when it starts. */
  async upgrade(line: string): Promise<void> {
    const packages = join(this.directory, "node_modules");
    const installed = await realpath(packages);
    await rm(packages);
    await mkdir(packages);
    for (const name of await readdir(installed)) {
      if (name !== "graph-deploy") await symlink(join(installed, name), join(packages, name));
    }
    const upgraded = join(packages, "graph-deploy");
    await cp(join(installed, "graph-deploy"), upgraded, { recursive: true });
    const manifest = join(upgraded, "package.json");
    await writeFile(manifest, (await readFile(manifest, "utf8")).replace(/"version": "[^"]*"/, '"version": "99.0.0"'));
    await appendFile(join(upgraded, "pulumi-provider/stub.cjs"), "// Another version.\n");
    await appendFile(join(upgraded, "build/library/pulumi-provider.js"), `console.log(${JSON.stringify(line)});\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** A deployment of an image that exists. */
export function image(
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  more: Omit<Described, "args" | "name"> = {},
): Described {
  return { name, args: { source: "external_docker", imageUri: "registry.example/agent:1", ...args }, ...more };
}

/** An image that its reference says exactly: a tag may name another one by now, and never counts as unchanged. */
export const EXACT_IMAGE = `registry.example/agent@sha256:${"1".repeat(64)}`;

/** A deployment of the folder `agent`. */
export function folder(
  name: string,
  args: Readonly<Record<string, unknown>> = {},
  more: Omit<Described, "args" | "name"> = {},
): Described {
  return { name, args: { source: "internal_source", directory: { path: "agent" }, ...args }, ...more };
}
