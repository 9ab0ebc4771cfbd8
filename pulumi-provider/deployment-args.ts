import type { Input } from "@pulumi/pulumi";
import type { DeploymentInputs, SourceName } from "./core/inputs/inputs.ts";

/** A value, or the output of a resource, at every place of it. */
export type Deep<Value> = unknown extends Value ? unknown : Input<Parts<Value>>;

export type Parts<Value> = Value extends readonly (infer Item)[]
  ? readonly Deep<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Deep<Value[Key]> }
    : Value;

// `keyof Omit<…>` keeps what is optional optional.
export type Rest<Inputs> = Inputs extends DeploymentInputs
  ? {
      /** Where the code comes from. */
      readonly source: Inputs["source"];
    } & {
      readonly [Key in keyof Omit<Inputs, "name" | "source">]: Deep<Inputs[Key]>;
    }
  : never;

/**
 * The arguments of a deployment. `source` decides which fields there are: `directory` and `graphConfigPath` for
 * `internal_source`, `repoRef` and `graphConfigPath` for `github`, `imageUri` for `external_docker`. It cannot be an output,
 * since it must be known while the program is compiled. `name` is the name of the resource unless it is set.
 */
export type DeploymentArgs<Source extends SourceName = SourceName> = {
  // By itself, so that the compiler reads the source of a resource from its arguments.
  /** Where the code comes from; the other arguments depend on it. */
  readonly source: Source;
  /** What the deployment is called; the name of the resource when not given. */
  readonly name?: Input<string> | undefined;
} & Rest<Extract<DeploymentInputs, { readonly source: Source }>>;

/** Where a deployment that is only read is found. */
export type LookupArgs = {
  readonly [Key in "controlPlaneUrl" | "credential" | "fieldNames" | "tenantId"]?: Deep<DeploymentInputs[Key]>;
};
