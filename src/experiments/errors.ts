import { GraphDeployError, type ErrorOptionsWithAdvice } from "../contract/graph-deploy-error.ts";
import { DataFileError, type FilePlace } from "../files/json/errors.ts";

/** The columns of a file have no known names; a mapping can give them roles. */
export class ColumnsError extends DataFileError {
  /** The mapping that is most likely meant: lines of YAML to paste and to correct. */
  readonly mapping: readonly string[] | undefined;

  constructor(
    place: FilePlace,
    fault: string,
    { mapping, ...options }: ErrorOptionsWithAdvice & { readonly mapping: readonly string[] | undefined },
  ) {
    super(place, fault, options);
    this.mapping = mapping;
  }
}

/** The file can be read, and what it says is not clear: as the baseline of a later run it is left out. */
export class UnclearFileError extends DataFileError {}

/** The run was cancelled before the upload ended. */
export class UploadCancelledError extends GraphDeployError {
  readonly code = "CANCELLED";
}
