import { expect } from "vitest";
import { image, type Described } from "../program.ts";
import { failure, type Stage } from "../stage.ts";

/** What comes after the resource that a rename makes. */
export const AFTER_RENAMED = image("tools", {}, { options: { dependsOn: [{ $resource: "invoices" }] } });

/**
 * Renames `billing` to `invoices` in an up that fails elsewhere: two resources of the state hold one deployment then. Its id.
 */
export async function renameHalfway(stage: Stage, renamed: Described): Promise<string> {
  await stage.deploy(image("billing"));
  const { id } = stage.deployment("billing");
  await stage.describe(renamed, AFTER_RENAMED);
  const refusal = { kind: "answer", status: 422, body: { detail: "the quota is used up" } } as const;
  stage.service.faults.add({ match: { method: "POST", path: "/v2/deployments" }, do: refusal });
  expect(failure(await stage.up())).toContain("the quota is used up");
  for (const name of ["billing", "invoices"]) expect(await stage.resource(name)).toMatchObject({ id });
  stage.asked();
  return id;
}
