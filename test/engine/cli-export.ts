import { isRecord } from "./property-values.ts";
import { STACK_TYPE } from "./resource-state.ts";
import { Secret } from "./stack.ts";
import type { ExportedResource, ExportedState } from "./stack.ts";

const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** Reads what `pulumi stack export --show-secrets` prints; `text` is the state's file. */
export function readExport(deployment: unknown, text: string): ExportedState {
  if (!isRecord(deployment)) return { resources: [], pendingOperations: [], text };
  const pending = records(deployment["pending_operations"]);
  return {
    resources: records(deployment["resources"]).filter(isOfProgram).map(readResource),
    pendingOperations: pending.map((one) => {
      const [resource] = records([one["resource"]]);
      return { type: string(one["type"]), name: nameOf(string(resource?.["urn"])) };
    }),
    text,
  };
}

function isOfProgram(resource: Record<string, unknown>): boolean {
  const type = string(resource["type"]);
  return type !== STACK_TYPE && !type.startsWith("pulumi:providers:");
}

function readResource(resource: Record<string, unknown>): ExportedResource {
  const initErrors = resource["initErrors"];
  return {
    urn: string(resource["urn"]),
    type: string(resource["type"]),
    name: nameOf(string(resource["urn"])),
    id: string(resource["id"]),
    custom: resource["custom"] === true,
    inputs: properties(resource["inputs"]),
    outputs: properties(resource["outputs"]),
    initErrors: Array.isArray(initErrors) ? initErrors.map(string) : [],
    deleting: resource["delete"] === true,
  };
}

function properties(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, decoded(one)] as const));
}

function decoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decoded);
  if (!isRecord(value)) return value;
  const plaintext = value["plaintext"];
  if (Object.hasOwn(value, SIGNATURE) && typeof plaintext === "string") return new Secret(JSON.parse(plaintext));
  return properties(value);
}

function records(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function nameOf(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}
