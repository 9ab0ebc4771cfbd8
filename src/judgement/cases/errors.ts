import { GraphDeployError, type ErrorOptionsWithAdvice } from "../../contract/graph-deploy-error.ts";
import { placeText, type FilePlace } from "../../files/json/errors.ts";

/** A snapshot cannot be read, or is not what it should be. Never contains text of the file. */
export class SnapshotError extends GraphDeployError {
  readonly code = "SNAPSHOT";
  readonly place: FilePlace;
  /** What is wrong there, without a full stop. */
  readonly fault: string;

  constructor(place: FilePlace, fault: string, options: ErrorOptionsWithAdvice = {}) {
    super(`${placeText(place)}: ${fault}.`, options);
    this.place = place;
    this.fault = fault;
  }
}
