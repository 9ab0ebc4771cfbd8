import { GraphDeployError, type ErrorOptionsWithAdvice } from "../../contract/graph-deploy-error.ts";

/** Where something stands in a result file. */
export interface ResultPlace {
  /** The file's name as the user knows it. */
  readonly file: string;
  /** Counted from 1; undefined where the file as a whole is meant. */
  readonly line?: number | undefined;
}

/** A result file cannot be read, or is not what it should be. Never holds anything of what stands in the file. */
export class ResultFileError extends GraphDeployError {
  readonly code = "RESULT_FILE";
  readonly place: ResultPlace;
  /** What is wrong there, without a full stop: for a report of many faults. */
  readonly fault: string;

  constructor(place: ResultPlace, fault: string, options: ErrorOptionsWithAdvice = {}) {
    const line = place.line === undefined ? "" : `, line ${String(place.line)}`;
    super(`${place.file}${line}: ${fault}.`, options);
    this.place = place;
    this.fault = fault;
  }
}
