import { VERSION } from "../version.ts";

/** The files that have a JSON schema in the package, by its name there. */
export const FILE_SCHEMAS = ["deploy-record", "evaluation", "graph", "judgement", "mapping", "snapshot"] as const;
/** One of them. */
export type FileSchema = (typeof FILE_SCHEMAS)[number];

const [MAJOR = ""] = VERSION.split(".");

/** Where everybody finds the schema: the newest package of this major version, on a mirror of npm. */
export function schemaAddress(name: FileSchema): string {
  return `https://unpkg.com/graph-deploy@${MAJOR}/schema/${name}.schema.json`;
}
