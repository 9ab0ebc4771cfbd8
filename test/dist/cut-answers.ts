/** A key, and what stands in its place. */
export interface Cut {
  readonly key: string;
  readonly to: null | undefined;
}

/** What a service may leave out of its answers. */
const LEFT_OUT = [
  ...["name", "source", "status", "url", "created_at", "updated_at", "tenant_id", "secrets"],
  ...["source_config", "source_revision_config", "latest_revision_id", "active_revision_id"],
].map((key): Cut => ({ key, to: undefined }));
/** The same, and null for what it may not know. */
export const CUTS = [...LEFT_OUT, ...LEFT_OUT.map(({ key }): Cut => ({ key, to: null }))];

/** A copy of an answer without these keys, or with null in their place. */
export function cutKeys(json: unknown, cuts: readonly Cut[]): unknown {
  if (Array.isArray(json)) return json.map((item) => cutKeys(item, cuts));
  if (typeof json !== "object" || json === null) return json;
  const entries = Object.entries(json).map(([key, value]) => {
    const cut = cuts.find((one) => one.key === key);
    return [key, cut === undefined ? cutKeys(value, cuts) : cut.to] as const;
  });
  return Object.fromEntries(entries);
}
