import type { DatasetKey } from "../../../../src/experiments/events.ts";

/** ` in dataset support-regression`, or nothing where the service makes one up. */
export function inDataset({ id, name }: DatasetKey): string {
  const key = [name, id].find((text) => text !== undefined && text !== "");
  return key === undefined ? "" : ` in dataset ${key}`;
}
