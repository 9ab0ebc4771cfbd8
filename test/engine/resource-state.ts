import type { Properties } from "./property-values.ts";

/** A resource as the small engine's state holds it; secrets are marked with their signature. */
export interface ResourceState {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** False for a component. */
  readonly custom: boolean;
  /** True for what was only read: nobody deletes it. */
  readonly external: boolean;
  /** "" for a component, and in a preview for what is still to be created. */
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly initErrors: readonly string[];
  readonly protect: boolean;
  readonly retainOnDelete: boolean;
  /** How long a step may take, seconds; 0 where the program does not say. */
  readonly timeouts: Timeouts;
  /** The URNs that must outlive it: what it depends on, and its parent. */
  readonly dependencies: readonly string[];
  /** The old half of a replacement: its successor exists, it is still to be deleted. */
  readonly deleting: boolean;
  /** Deleted before its replacement, which does not exist yet. */
  readonly pendingReplacement: boolean;
}

/** The option `customTimeouts`, seconds. */
export interface Timeouts {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}

/** The URN of a resource: its type is prefixed by those of its parents, but not by the stack's. */
export function urnOf(stack: string, project: string, type: string, name: string, parent: string): string {
  const parentType = parent.split("::")[2] ?? "";
  const isTop = parentType === "" || parentType === STACK_TYPE;
  return `urn:pulumi:${stack}::${project}::${isTop ? "" : `${parentType}$`}${type}::${name}`;
}

/** The type of the resource that stands for the whole stack. */
export const STACK_TYPE = "pulumi:pulumi:Stack";
