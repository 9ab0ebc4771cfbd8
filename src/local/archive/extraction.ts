import { posix } from "node:path";
import { extract } from "tar";
import { ArchiveRefused, readArchive } from "./reader.ts";

/**
 * Unpacks a `.tar.gz` into an empty folder, and answers the folder of its configuration file, relative to that one.
 * Rejects with ArchiveRefused, before anything is written, when the archive is damaged or hostile.
 */
export async function unpackArchive(
  file: string,
  { into, configPath, signal }: { readonly into: string; readonly configPath: string; readonly signal: AbortSignal },
): Promise<string> {
  const { tree } = await readArchive(file, {}, { signal });
  const project = tree.resolve(posix.dirname(configPath));
  if (project?.kind !== "directory") throw new ArchiveRefused(`it has no folder ${posix.dirname(configPath)}`);
  const unpacked = extract({
    file,
    cwd: into,
    // Any doubt that `tar` itself has is a reason to stop.
    strict: true,
    preserveOwner: false,
    // Nobody runs a program of an archive as somebody else: without setuid, setgid and sticky bits.
    onReadEntry: (entry) => {
      if (entry.mode !== undefined) entry.mode &= 0o777;
    },
    // Each link was looked at by its words; followed step by step, two of them together may still lead outside.
    filter: (path, entry) => !("type" in entry) || entry.type !== "SymbolicLink" || tree.resolve(path) !== undefined,
  });
  await unpacked.catch((error: unknown) => {
    throw isTooLong(error) ? new ArchiveRefused("a path in it is too long for this machine", { cause: error }) : error;
  });
  return project.path;
}

// The folder that it is unpacked into counts as well.
function isTooLong(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENAMETOOLONG";
}
