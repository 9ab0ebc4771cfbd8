import type * as z from "zod";
import { SkimMembers, type SkimPlan } from "../../../files/json/skim-plan.ts";
import { shapeOf, type Shape } from "./ledger.ts";

/**
 * A plan that parses what a schema reads, and of what it leaves out on purpose only whether it is there. `blanks` are dotted
 * paths of texts that are read under a condition that their caller knows: they become empty.
 */
export function skimPlan(schema: z.ZodObject, blanks: readonly string[] = []): SkimMembers {
  const plan = planOf(shapeOf(schema), "", new Set(blanks));
  if (!(plan instanceof SkimMembers)) throw new TypeError("The schema of an object has fields.");
  return plan;
}

function planOf(shape: Shape | undefined, path: string, blanks: ReadonlySet<string>): SkimPlan {
  if (!shape) return blanks.has(path) ? "blank" : "whole";
  if (shape.kind === "many") return { item: planOf(shape.item, path, blanks) };
  const { fields, leftOut } = shape;
  return new SkimMembers((key) => {
    if (fields.has(key)) return planOf(fields.get(key), path === "" ? key : `${path}.${key}`, blanks);
    return leftOut?.has(key) === true && leftOut.isFree?.(key) !== true ? "sign" : "whole";
  });
}
