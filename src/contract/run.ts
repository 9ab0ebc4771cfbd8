/** The fields of a run that travel in parts of their own, when they are not empty: service.md §4.3. */
export const PART_FIELDS = ["inputs", "outputs", "events"] as const;

/** A field that travels in a part of its own. */
export type PartField = (typeof PART_FIELDS)[number];
