import { runProcess } from "./process.ts";

const MARK = "has loaded ";
const HOOK = `
import { registerHooks } from "node:module";
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    process.stderr.write("\\n${MARK}" + found.url + "\\n");
    return found;
  },
});`;

/** Runs a program to its end; answers what it has loaded by then, Node's own modules (`node:http`) and files (URLs). */
export async function loadedModules(
  entry: string,
  options: { readonly env: NodeJS.ProcessEnv; readonly exitCode: number },
): Promise<ReadonlySet<string>> {
  const hook = `data:text/javascript,${encodeURIComponent(HOOK)}`;
  const { output } = await runProcess(process.execPath, ["--import", hook, entry], options);
  const lines = output.split("\n").filter((line) => line.startsWith(MARK));
  return new Set(lines.map((line) => line.slice(MARK.length)));
}
