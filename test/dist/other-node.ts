import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * The program of another version of Node, from the package that npm has of it; undefined where npm cannot get it. In CI
 * that is an error: a tier that leaves a version out would be green for nothing.
 */
export async function otherNode(version: string): Promise<string | undefined> {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}@${version}`;
  const args = ["exec", "--yes", "--prefer-offline", "--loglevel", "error", `--package=${name}`, "--"];
  try {
    const { stdout } = await run("npm", [...args, "node", "-p", "process.execPath"], {
      cwd: tmpdir(),
      shell: process.platform === "win32",
    });
    const path = stdout.trim();
    const { stdout: told } = await run(path, ["--version"]);
    if (told.trim() !== `v${version}`) throw new Error(`npm gave Node ${told.trim()} for ${version}.`);
    return path;
  } catch (error) {
    if (process.env["CI"] === "true") throw error;
    console.log(`The tests on Node ${version} are skipped: npm cannot get ${name}.`);
    return undefined;
  }
}
