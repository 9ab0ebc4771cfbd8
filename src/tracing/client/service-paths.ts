/**
 * Below which paths of an address the run endpoints may be, the likeliest first: services have them without a
 * prefix, and users give addresses with the prefix of the other endpoints.
 */
export function servicePaths(pathname: string): readonly string[] {
  const base = pathname.replace(/\/+$/, "");
  const root = base.replace(/\/api(?:\/v1)?$/, "");
  return [...new Set([base, root, `${root}/api/v1`])];
}
