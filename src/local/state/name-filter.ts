import { holds } from "./database.ts";

/** Which rows of a table with ids and names are meant; an absent condition fits all. */
export interface NameFilter {
  readonly name?: string | undefined;
  /** In upper or lower case; empty for no filter. */
  readonly nameContains?: string | undefined;
  /** Any of these; none of all for an empty list. */
  readonly ids?: readonly string[] | undefined;
}

/** The filter as SQL, for the parameters of `nameConditions`. */
export const NAME_FITS = `(:name IS NULL OR name = :name) AND ${holds("name", ":nameContains")}
  AND (:ids IS NULL OR id IN (SELECT value FROM json_each(:ids)))`;

export function nameConditions({ name, nameContains, ids }: NameFilter) {
  return {
    name: name ?? null,
    nameContains: nameContains ?? "",
    ids: ids ? JSON.stringify(ids) : null,
  };
}
