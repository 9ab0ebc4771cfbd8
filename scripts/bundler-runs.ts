import { createRequire } from "node:module";
import process from "node:process";
import * as z from "zod";
import { toolPath } from "./command.ts";

// Runs the bundler once for each list of arguments that the first argument holds, in this one process.
const Bundler = z.custom<(args: readonly string[], stdout: object, stderr: object) => Promise<unknown>>(
  (value) => typeof value === "function",
);
const run = Bundler.parse(createRequire(import.meta.url)(toolPath("@vercel/ncc", "dist/ncc/cli.js")));

for (const args of z.array(z.array(z.string())).parse(JSON.parse(process.argv[2] ?? ""))) {
  await run(args, process.stdout, process.stderr);
}
