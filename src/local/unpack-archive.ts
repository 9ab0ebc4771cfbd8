import { posix } from "node:path";
import { extract } from "tar";
import { ArchiveRefused, readArchive } from "./read-archive.ts";

/**
 * Unpacks a `.tar.gz` into an empty folder, and answers the folder of its configuration file, relative to that one.
 * Rejects with ArchiveRefused, before anything is written, when the archive is damaged or hostile.
 */
export async function unpackArchive(
  file: string,
  { into, configPath, signal }: { readonly into: string; readonly configPath: string; readonly signal: AbortSignal },
): Promise<string> {
  const { tree } = await readArchive(file, new Set(), { signal });
  const project = tree.resolve(posix.dirname(configPath));
  if (project?.kind !== "directory") throw new ArchiveRefused(`it has no folder ${posix.dirname(configPath)}`);
  await extract({
    file,
    cwd: into,
    // Any doubt that `tar` itself has is a reason to stop.
    strict: true,
    preserveOwner: false,
    // Each link was looked at by its words; followed step by step, two of them together may still lead outside.
    filter: (path, entry) => !("type" in entry) || entry.type !== "SymbolicLink" || tree.resolve(path) !== undefined,
  });
  return project.path;
}
