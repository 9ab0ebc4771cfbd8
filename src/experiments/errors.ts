import { GraphDeployError, type ErrorOptionsWithAdvice } from "../contract/graph-deploy-error.ts";
import { DataFileError, type FilePlace } from "../files/json/errors.ts";

/** A file whose columns are not understood by their names, and that a mapping can read. */
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

/** Somebody ended the run before the upload was over. */
export class UploadCancelledError extends GraphDeployError {
  readonly code = "CANCELLED";
}
