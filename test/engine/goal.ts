import type { ReadResourceRequest, RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb.js";
import { fromStruct } from "./property-values.ts";
import type { Properties } from "./property-values.ts";
import { STACK_TYPE, urnOf } from "./resource-state.ts";
import type { ResourceState, Timeouts } from "./resource-state.ts";

/** What the program wants of one resource. */
export interface Goal {
  /** The resource as it would be; without an id, with the inputs as the program gave them. */
  readonly resource: ResourceState;
  /** Undefined: as the provider's diff says. */
  readonly deleteBeforeReplace: boolean | undefined;
  readonly ignoreChanges: readonly string[];
  readonly replaceOnChanges: readonly string[];
}

/** The names that a URN needs. */
export interface StackName {
  readonly stack: string;
  readonly project: string;
}

/** What a registration asks for. */
export function goalOf(request: RegisterResourceRequest, names: StackName): Goal {
  const parent = request.getParent();
  const resource: ResourceState = {
    ...blank(request, names, fromStruct(request.getObject())),
    custom: request.getCustom(),
    protect: request.getProtect() ?? false,
    retainOnDelete: request.getRetainondelete() ?? false,
    timeouts: timeoutsOf(request),
    dependencies: outliving(request.getDependenciesList(), parent),
  };
  const isDefined = request.getDeletebeforereplacedefined() || request.getDeletebeforereplace();
  return {
    resource,
    deleteBeforeReplace: isDefined ? request.getDeletebeforereplace() : undefined,
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
  };
}

/** The resource that a read asks for; its id may still be unknown in a preview. */
export function readOf(request: ReadResourceRequest, names: StackName): ResourceState {
  return {
    ...blank(request, names, fromStruct(request.getProperties())),
    custom: true,
    external: true,
    id: request.getId(),
    dependencies: outliving(request.getDependenciesList(), request.getParent()),
  };
}

function blank(
  request: RegisterResourceRequest | ReadResourceRequest,
  { stack, project }: StackName,
  inputs: Properties,
): ResourceState {
  const type = request.getType();
  const name = request.getName();
  return {
    urn: urnOf(stack, project, type, name, request.getParent()),
    type,
    name,
    custom: false,
    external: false,
    id: "",
    inputs,
    outputs: {},
    initErrors: [],
    protect: false,
    retainOnDelete: false,
    timeouts: { create: 0, update: 0, delete: 0 },
    dependencies: [],
    deleting: false,
    pendingReplacement: false,
  };
}

function timeoutsOf(request: RegisterResourceRequest): Timeouts {
  const given = request.getCustomtimeouts();
  return {
    create: secondsIn(given?.getCreate()),
    update: secondsIn(given?.getUpdate()),
    delete: secondsIn(given?.getDelete()),
  };
}

// Durations of Go, as far as the table uses them.
function secondsIn(text = ""): number {
  const [, count = "0", unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  return Number(count) * { ms: 0.001, s: 1, m: 60, h: 3_600 }[unit as "h" | "m" | "ms" | "s"];
}

function outliving(dependencies: readonly string[], parent: string): readonly string[] {
  // The stack itself is no resource of the state.
  const all = parent === "" || parent.includes(`::${STACK_TYPE}::`) ? dependencies : [...dependencies, parent];
  return [...new Set(all)];
}
