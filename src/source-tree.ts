import * as z from "zod";
import { abortSignal, checkedArgument, functionOf, objectOf, somePath, texts } from "./contract/call-arguments.ts";
import type { ShapesOf } from "./contract/call-arguments.ts";
import type { TreeMemory } from "./source/tree/tree-memory.ts";
import { readSourceTree as readTree, type SourceRequest, type SourceTree } from "./source/tree/tree.ts";

const RequestShape = z.looseObject({
  directory: somePath,
  workspace: somePath.optional(),
  graphConfig: somePath,
  include: texts,
  exclude: texts,
  allowSecretsInSource: texts.optional(),
  ownFile: somePath.optional(),
  memory: objectOf<TreeMemory>().optional(),
  onBytes: functionOf<NonNullable<SourceRequest["onBytes"]>>().optional(),
  signal: abortSignal,
} satisfies ShapesOf<SourceRequest>);

/** Reads the tree for a caller without types; also throws ArgumentsError. */
export async function readSourceTree(request: SourceRequest): Promise<SourceTree> {
  checkedArgument("readSourceTree", RequestShape, request, "the first argument");
  return await readTree(request);
}
