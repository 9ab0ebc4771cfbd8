import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import * as z from "zod";
import { projectRoot } from "./command.ts";

/** A part of a schema: https://www.pulumi.com/docs/iac/guides/building-extending/packages/schema/ */
export type Json = Readonly<Record<string, unknown>>;

const JsonShape = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
});

/** The sentences of properties, by their names. */
export type Sentences = ReadonlyMap<string, string>;

/** Turns shapes of zod into types of Pulumi; enums and objects get names of their own. */
export class SchemaTypes {
  readonly #named = new Map<string, Json>();
  readonly #sentences: Sentences;

  constructor(sentences: Sentences) {
    this.#sentences = sentences;
  }

  /** The named types so far, in the order of their names. */
  get named(): Json {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The properties of an object, and which of them must be there. */
  object(shape: z.ZodType): { readonly properties: Json; readonly required: readonly string[] } {
    const json = z.toJSONSchema(shape, { io: "input", unrepresentable: "any" });
    const { properties = {}, required = [] } = JsonShape.parse(json);
    return { properties: this.#properties(properties, ""), required };
  }

  #properties(properties: Json, prefix: string): Json {
    return mapped(properties, (key, part) => {
      const description = JsonShape.parse(part).description ?? this.#sentences.get(key);
      if (description === undefined) throw new Error(`${key} has no sentence: neither its shape nor its type has one.`);
      return { ...this.#type(part, prefix + capital(key)), description };
    });
  }

  #type(part: unknown, name: string): Json {
    const {
      type,
      enum: choices,
      items,
      properties,
      required = [],
      additionalProperties,
      title,
    } = JsonShape.parse(part);
    if (choices !== undefined) {
      return this.#name(name, { type: "string", enum: choices.map((value) => ({ name: pascal(value), value })) });
    }
    if (properties !== undefined) {
      const own = title ?? name;
      return this.#name(own, { type: "object", properties: this.#properties(properties, own), required });
    }
    if (type === "array") return { type, items: this.#type(items, name.replace(/s$/, "")) };
    if (type === "object") return { type, additionalProperties: this.#type(additionalProperties, name) };
    return type === undefined ? { $ref: "pulumi.json#/Any" } : { type };
  }

  #name(name: string, type: Json): Json {
    const token = `graph-deploy:index:${name}`;
    this.#named.set(token, type);
    return { $ref: `#/types/${token}` };
  }
}

/** An object with each value replaced. */
export function mapped<Value>(object: Readonly<Record<string, Value>>, to: (key: string, value: Value) => Json): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, to(key, value)]));
}

/** The comments of the properties of all interfaces and classes in a file. */
export async function sentencesIn(file: string): Promise<Sentences> {
  const text = await readFile(join(projectRoot, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const sentences = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if ((ts.isPropertySignature(node) || ts.isPropertyDeclaration(node)) && ts.isIdentifier(node.name)) {
      const [comment] = ts.getJSDocCommentsAndTags(node);
      const sentence = comment === undefined ? undefined : ts.getTextOfJSDocComment(comment.comment);
      if (sentence !== undefined) sentences.set(node.name.text, sentence.replaceAll(/\s+/g, " "));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return sentences;
}

/** `internal_source` as InternalSource. */
function pascal(value: string): string {
  return value.split("_").map(capital).join("");
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
