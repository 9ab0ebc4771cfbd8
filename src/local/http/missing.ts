/** Endpoints that a server of the same API may serve and this one does not. */
export interface MissingEndpoints {
  /** What they have in common. */
  readonly name: string;
  /** A method and a path, or a path for every method at and below it. Parts in braces are variable. */
  readonly missing: readonly string[];
  /** The reason, for a caller that requests one of these: a sentence, or several. */
  readonly because: string;
}

/** The group that a request belongs to; undefined for a request of none. */
export function missingGroup(
  groups: readonly MissingEndpoints[],
  method: string,
  path: string,
): MissingEndpoints | undefined {
  const fits = groups.flatMap((group) =>
    group.missing
      .filter((pattern) => {
        const [wanted = "", only] = pattern.split(" ").toReversed();
        if (only !== undefined && only !== method) return false;
        // Servers that have these endpoints ignore a slash at the end.
        const given = path.replace(/\/$/, "").split("/");
        const parts = wanted.split("/");
        if (only === undefined ? given.length < parts.length : given.length !== parts.length) return false;
        return parts.every((part, index) => part.startsWith("{") || part === given[index]);
      })
      .map((pattern) => ({ group, pattern })),
  );
  // The narrowest: a group may lie below another.
  return fits.toSorted((one, other) => other.pattern.length - one.pattern.length)[0]?.group;
}
