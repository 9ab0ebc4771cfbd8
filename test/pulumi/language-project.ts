import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { projectRoot } from "../../scripts/command.ts";
import { standardEnvironment } from "../engine/child-process.ts";

const PLUGIN_PATH = "node_modules/graph-deploy/build/plugin";
const MOST_OUTPUT_BYTES = 16 * 1024 * 1024;
// What a registry of packages that cannot be reached makes pip, npm and go say.
const NO_NETWORK =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|no such host|dial tcp|Could not find a version|NewConnectionError|proxyconnect|SELF_SIGNED|CERTIFICATE_VERIFY|Could not transfer artifact|Unknown host/i;

/** Where a project finds what it needs. */
interface Surroundings {
  /** The folder of the real CLI. */
  readonly cli: string;
  /** The node_modules with the package. */
  readonly packages: string;
}

/** What a language needs cannot be fetched on this machine. */
export class NoPackagesError extends Error {}

/** A copy of an example beside the agent that it deploys, driven with the real CLI as a user does it. */
export class LanguageProject {
  readonly directory: string;
  /** The program of the plugin. */
  readonly plugin: string;
  readonly #home: string;
  readonly #path: string;

  private constructor(home: string, { cli, packages }: Surroundings) {
    this.#home = home;
    this.directory = join(home, "program");
    this.plugin = join(packages, "graph-deploy/build/plugin/pulumi-resource-graph-deploy");
    this.#path = [cli, standardEnvironment()["PATH"]].join(delimiter);
  }

  /** `example` is a directory of examples/. */
  static async create(example: string, surroundings: Surroundings): Promise<LanguageProject> {
    const project = new LanguageProject(await mkdtemp(join(tmpdir(), "pulumi-language-")), surroundings);
    await mkdir(join(project.#home, "state"));
    await cp(join(projectRoot, "examples/agent"), join(project.#home, "agent"), { recursive: true });
    await cp(join(projectRoot, "examples", example), project.directory, { recursive: true });
    await project.edit("Pulumi.yaml", (text) =>
      text.replace(PLUGIN_PATH, join(surroundings.packages, "graph-deploy/build/plugin")),
    );
    return project;
  }

  /** Writes a file of the project anew; one that is not there is empty. */
  async edit(file: string, change: (text: string) => string): Promise<void> {
    const path = join(this.directory, file);
    const text = await readFile(path, "utf8").catch(() => "");
    await writeFile(path, change(text));
  }

  /** Adds the SDK of the plugin to the project, and installs what the program needs. Throws NoPackagesError. */
  async addPackage(): Promise<void> {
    await this.pulumi("package", "add", this.plugin);
  }

  /** Runs the CLI to a good end; resolves with what it printed. Throws NoPackagesError. */
  async pulumi(...args: readonly string[]): Promise<string> {
    const { failed, output } = await this.#run(args);
    if (failed && NO_NETWORK.test(output)) throw new NoPackagesError(output.trim().split("\n").at(-1));
    if (failed) throw new Error(`pulumi ${args.join(" ")}\n${output}`);
    return output;
  }

  async #run(args: readonly string[]): Promise<{ readonly failed: boolean; readonly output: string }> {
    // With what a machine sets for its package managers: a proxy, a registry, certificates.
    const env = {
      ...process.env,
      ...standardEnvironment(),
      PATH: this.#path,
      NO_COLOR: "1",
      PULUMI_HOME: join(this.#home, "home"),
      PULUMI_BACKEND_URL: `file://${join(this.#home, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "test",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    };
    const options = { cwd: this.directory, env, maxBuffer: MOST_OUTPUT_BYTES };
    return await new Promise((resolve) => {
      execFile(join(this.#path.split(delimiter)[0] ?? "", "pulumi"), args, options, (error, stdout, stderr) => {
        resolve({ failed: error !== null, output: stdout + stderr });
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }
}
