import { hasStatus } from "./errors.ts";

/** How a service is searched. */
export interface PathSearch<Path> {
  /** True for the error of a path below which the service is not; 404 and 405 when not given. */
  readonly isElsewhere?: ((error: unknown) => boolean) | undefined;
  /** The path whose error is thrown when the service is below none; the last when not given. */
  readonly blamed?: Path | undefined;
}

/**
 * Finds the path below which a service answers, and what it answers there: asks below one after the other, the likeliest
 * first. An answer that the service itself has refused ends the search.
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
