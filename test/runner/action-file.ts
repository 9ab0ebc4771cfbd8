import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";

const actionFile = z.object({
  inputs: z
    .record(z.string(), z.object({ default: z.union([z.string(), z.boolean(), z.number()]).optional() }))
    .default({}),
  outputs: z.record(z.string(), z.unknown()).default({}),
  runs: z.object({ using: z.string(), main: z.string(), post: z.string().optional() }),
});

/** What a runner needs to know of an action.yml. */
export interface ActionFile {
  /** The declared inputs and their defaults; an input without one has the empty string, as in the runner. */
  readonly defaults: ReadonlyMap<string, string>;
  readonly outputs: readonly string[];
  /** Absolute paths. */
  readonly main: string;
  readonly post: string | undefined;
}

/** Reads an action.yml. `dist` runs another file in place of main and post, for a bundle that lies elsewhere. */
export async function readActionFile(path: string, dist?: string): Promise<ActionFile> {
  const { inputs, outputs, runs } = actionFile.parse(parse(await readFile(path, "utf8")));
  const at = (script: string) => dist ?? join(dirname(path), script);
  return {
    defaults: new Map(Object.entries(inputs).map(([name, input]) => [name, String(input.default ?? "")])),
    outputs: Object.keys(outputs),
    main: at(runs.main),
    post: runs.post === undefined ? undefined : at(runs.post),
  };
}
