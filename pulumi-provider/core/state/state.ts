/** What the engine hands over: plain JSON, in preview with a mark where a value is not known yet. */
export type Properties = Readonly<Record<string, unknown>>;

/**
 * What a program reads of a deployment beside its inputs; all are texts. `of` is what an output describes: another revision
 * changes it, the deployment keeps it, or the checks know it from the source.
 */
export const OUTPUTS = [
  { name: "latestRevisionId", of: "revision", type: "string" },
  // That which our last update made, and its status.
  { name: "managedRevisionId", of: "revision", type: "string" },
  { name: "status", of: "revision", type: "string" },
  { name: "url", of: "deployment", type: "string" },
  // The digest of what was uploaded; of a directory alone, as the two that follow.
  { name: "sourceHash", of: "source", type: "string" },
  // For a person: `42 files, 1.2 MB`.
  { name: "sourceSummary", of: "source", type: "string" },
  // Where the service has the archive of the directory.
  { name: "sourceTarballPath", of: "revision", type: "string" },
  { name: "createdAt", of: "deployment", type: "string" },
] as const satisfies readonly AnOutput[];

interface AnOutput {
  readonly name: string;
  readonly of: "deployment" | "revision" | "source";
  readonly type: "string";
}

type KnownOutput = (typeof OUTPUTS)[number];

/** The name of an output; those of one part with its name. */
export type OutputName<Of extends KnownOutput["of"] = KnownOutput["of"]> = Extract<
  KnownOutput,
  { readonly of: Of }
>["name"];

/**
 * What state shows beside the inputs. A value that there is not is null: the host cannot take undefined, and a key that is
 * absent counts as unknown in a preview.
 */
export type Reported = Readonly<Record<OutputName, string | null>>;

/** The keys that mean something: null counts as absent, and what begins with two underscores is the engine's. */
export function meaningful(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).filter(([key, value]) => value != null && !key.startsWith("__")),
  );
}

/** A text of a state; null where it has none. */
export function textIn(properties: Properties, key: string): string | null {
  const value = properties[key];
  return typeof value === "string" ? value : null;
}

/** What a message calls the deployment of these properties, whose name may be missing or invalid. */
export function subjectOf(properties: Properties): string {
  return textIn(properties, "name") ?? "this deployment";
}
