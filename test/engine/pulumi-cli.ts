import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The folder that holds the real `pulumi`, with its language host and the script that starts dynamic providers beside
 * it: `bin` under PULUMI_ROOT, or what PATH finds. Undefined when there is none.
 */
export function findPulumiCli(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const root = env["PULUMI_ROOT"];
  const folders = root === undefined ? (env["PATH"] ?? "").split(delimiter) : [join(root, "bin")];
  return folders.find((folder) => folder !== "" && isExecutable(join(folder, "pulumi")));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
