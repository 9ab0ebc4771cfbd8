import { hasStatus } from "./errors.ts";

/**
 * Finds the path under which a service responds, and returns it with the response: tries one path after the other, the
 * likeliest first. Any other error than one that `isElsewhere` ends the search; if the service is under none of the paths,
 * the error of the `blamed` one is thrown.
 */
export async function findPath<Path, Result>(
  paths: readonly Path[],
  ask: (path: Path) => Promise<Result>,
  {
    isElsewhere = (error) => hasStatus(error, 404, 405),
    blamed = paths.at(-1),
  }: { readonly isElsewhere?: (error: unknown) => boolean; readonly blamed?: Path | undefined } = {},
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
