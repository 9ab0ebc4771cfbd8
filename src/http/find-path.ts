import { hasStatus } from "./errors.ts";

/** How the paths are tried. */
export interface PathSearch<Path> {
  /** True for the error of a path where the service is not; 404 and 405 when not given. */
  readonly isElsewhere?: (error: unknown) => boolean;
  /** The path whose error is thrown if the service is under none of them; the last when not given. */
  readonly blamed?: Path | undefined;
}

/**
 * Finds the path under which a service responds, and returns it with the response: tries one path after the other, the
 * likeliest first. Any other error than a missing endpoint ends the search.
 */
export async function findPath<Path, Result>(
  paths: readonly Path[],
  ask: (path: Path) => Promise<Result>,
  { isElsewhere = (error) => hasStatus(error, 404, 405), blamed = paths.at(-1) }: PathSearch<Path> = {},
): Promise<{ readonly path: Path; readonly result: Result }> {
  let failure: unknown;
  for (const path of paths) {
    try {
      return { path, result: await ask(path) };
    } catch (error) {
      if (!isElsewhere(error)) throw error;
      if (path === blamed) failure = error;
    }
  }
  throw failure;
}
