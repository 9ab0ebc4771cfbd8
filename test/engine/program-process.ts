import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { loadsAsUsersDo, NodeProcess } from "./child-process.ts";
import { runKept, type KeptProgram } from "./kept-program.ts";
import type { StackConfig } from "./stack-config.ts";

// The program's host prints nothing more when the program has logged its error itself.
const ALREADY_LOGGED = 32;

/** What the language host gives to the program. */
export interface ProgramOptions {
  readonly directory: string;
  readonly program: string | undefined;
  readonly project: string;
  readonly stack: string;
  readonly config: StackConfig;
  readonly env: Readonly<Record<string, string>>;
  /** Where the resource monitor and the engine listen. */
  readonly address: string;
  readonly preview: boolean;
  readonly parallel: number;
  readonly onOutput: (line: string) => void;
  readonly onErrorOutput: (line: string) => void;
}

/** Starts the program as the language host does. */
export function startProgram(options: ProgramOptions): KeptProgram {
  const { directory, address, project, stack, preview, parallel, onOutput, onErrorOutput } = options;
  const program = options.program ?? entryPoint(directory);
  const isTypeScript = program.endsWith(".ts");
  const env = {
    ...options.env,
    PULUMI_CONFIG: JSON.stringify(options.config.plain()),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(options.config.secretKeys()),
    ...(isTypeScript && { PULUMI_NODEJS_TYPESCRIPT: "true" }),
  };
  const given = {
    ...{ monitor: address, engine: address, project, stack, organization: "organization" },
    ...{ "root-directory": directory, pwd: directory, parallel: String(parallel) },
  };
  const flags = Object.entries(given);
  if (!isTypeScript && options.program === undefined && !loadsAsUsersDo()) {
    const variables = flags.map(([name, value]) => [`PULUMI_NODEJS_${name.replace("-", "_").toUpperCase()}`, value]);
    return runKept({
      ...{ directory, onOutput, onErrorOutput },
      env: { ...env, ...Object.fromEntries(variables), ...(preview && { PULUMI_NODEJS_DRY_RUN: "true" }) },
      args: { ...given, "dry-run": preview, _: [program] },
    });
  }
  const own = new NodeProcess({
    script: createRequire(join(directory, "index.js")).resolve("@pulumi/pulumi/cmd/run"),
    args: [...flags.flatMap(([name, value]) => [`--${name}`, value]), ...(preview ? ["--dry-run"] : []), program],
    ...{ directory, env, onOutput, onErrorOutput },
  });
  return { ended: own.ended, kill: own.kill.bind(own), share: () => {} };
}

/** What the engine says about an exit code; undefined when there is nothing left to say. */
export function exitMessage(code: number): string | undefined {
  return code === 0 || code === ALREADY_LOGGED ? undefined : `The program ended with exit code ${code}.`;
}

/** The file that runs: "." leaves the choice to the package.json. */
export function entryPoint(directory: string): string {
  const manifest = join(directory, "package.json");
  if (existsSync(manifest)) {
    const { main, exports } = JSON.parse(readFileSync(manifest, "utf8")) as { main?: unknown; exports?: unknown };
    if (main !== undefined || exports !== undefined) return ".";
  }
  const found = ["index.js", "index.mjs", "index.cjs", "index.ts"].find((file) => existsSync(join(directory, file)));
  if (found === undefined) throw new Error(`There is no index.js, .mjs, .cjs or .ts in ${directory}.`);
  return found;
}
