import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createGenerator } from "ts-json-schema-generator";
import * as z from "zod";
import { GraphConfigFile } from "../src/contract/graph-config-shape.ts";
import { FILE_SCHEMAS, schemaAddress, type FileSchema } from "../src/contract/schema-address.ts";
import { DeployRecord } from "../src/deployment/record.ts";
import { DefinitionFile } from "../src/evaluation/definition.ts";
import { MappingText, ScoreText } from "../src/experiments/rows/mapping.ts";
import { Header } from "../src/judgement/cases/snapshot-header.ts";
import { CaseLine } from "../src/judgement/cases/snapshot-writer.ts";
import { projectRoot } from "./command.ts";
import { formatted } from "./formatted.ts";

/** What editors show of each file, and how its schema is made. */
const FILES: Readonly<Record<FileSchema, { readonly title: string; readonly schema: () => object }>> = {
  "deploy-record": { title: "What a deploy leaves for the next one", schema: () => fromShape(DeployRecord) },
  evaluation: { title: "What an evaluation asks, and how it scores", schema: () => fromShape(DefinitionFile) },
  graph: { title: "The configuration file of an agent project", schema: () => fromShape(GraphConfigFile) },
  judgement: { title: "The result of a judgement", schema: judgementSchema },
  mapping: { title: "Which columns or keys of a result file hold the parts of a row", schema: mappingSchema },
  snapshot: {
    title: "A line of a snapshot: the header, which is the first one, or a case with its trials",
    schema: () => ({ anyOf: [fromShape(Header), fromShape(CaseLine)] }),
  },
};

/** The JSON schema of a file as JSON text, made from its shape or its type. */
export async function fileSchema(name: FileSchema): Promise<string> {
  const { title, schema } = FILES[name];
  // SchemaStore asks for this draft: the newest that editors support as a whole.
  const head = { $schema: "http://json-schema.org/draft-07/schema#", $id: schemaAddress(name), title };
  return await formatted("schema.json", JSON.stringify({ ...head, ...schema() }));
}

/** Of what is read: the shape before any default or change. */
function fromShape(shape: z.ZodType): z.core.JSONSchema.BaseSchema {
  const { $schema: _draft, ...schema } = z.toJSONSchema(shape, { target: "draft-7", io: "input" });
  return schema;
}

/** A score may be its path alone, which the shape of the file turns into an object before it looks. */
function mappingSchema(): object {
  const { properties = {}, ...schema } = fromShape(MappingText);
  const scores = z.looseObject({}).parse(properties["scores"]);
  return {
    ...schema,
    properties: { ...properties, scores: { ...scores, additionalProperties: fromShape(ScoreText) } },
  };
}

/** Its type and the comments there are all that there is of it: nothing reads it back. */
function judgementSchema(): object {
  const { $schema: _draft, ...schema } = createGenerator({
    path: join(projectRoot, "src/judgement/judgement.ts"),
    tsconfig: join(projectRoot, "tsconfig.json"),
    // A later version may add fields. The compiler has checked the types already.
    ...{ additionalProperties: true, skipTypeCheck: true, topRef: false },
  }).createSchema("Judgement");
  // In a file, what is undefined is not there.
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === "description" && typeof value === "string" ? value.replace(/\b([Uu])ndefined\b/g, absent) : value,
  );
  return z.looseObject({}).parse(JSON.parse(text));
}

function absent(_word: string, first: string): string {
  return first === "U" ? "Absent" : "absent";
}

if (import.meta.main) {
  const directory = join(projectRoot, "schema");
  await mkdir(directory, { recursive: true });
  for (const name of FILE_SCHEMAS) await writeFile(join(directory, `${name}.schema.json`), await fileSchema(name));
}
