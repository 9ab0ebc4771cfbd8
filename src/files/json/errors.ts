import { GraphDeployError, type ErrorOptionsWithAdvice } from "../../contract/graph-deploy-error.ts";

/** Where something stands in a file: the line where that is exact, else the row; never both in a sentence. */
export interface FilePlace {
  /** The file's name as the user knows it. */
  readonly file: string;
  /** Counted from 1; undefined where the file as a whole is meant, and where many rows share a line. */
  readonly line?: number | undefined;
  /** Which row of the file, counted from 1, where a line is not exact. */
  readonly row?: number | undefined;
}

/** `eval/results.jsonl, line 12`, or `eval/results.json, row 12`. */
export function placeText({ file, line, row }: FilePlace): string {
  if (line !== undefined) return `${file}, line ${String(line)}`;
  return row === undefined ? file : `${file}, row ${String(row)}`;
}

export class CountedPlaces {
  count = 0;
  first: FilePlace | undefined;

  add(place: FilePlace, times = 1): void {
    this.count += times;
    this.first ??= place;
  }
}

/** How each fault of a file that ends too early is worded, whatever its format. */
const CUT = /as if the file were cut off|the file ends in the middle/;
const CUT_ADVICE = "Look at the step that writes the file: it may have stopped before it wrote the file as a whole.";

/** A file of data cannot be read, or is not what it should be. Never contains text of the file. */
export class DataFileError extends GraphDeployError {
  readonly code = "DATA_FILE";
  readonly place: FilePlace;
  /** What is wrong there, without a full stop: for a report of many faults. */
  readonly fault: string;

  constructor(place: FilePlace, fault: string, options: ErrorOptionsWithAdvice = {}) {
    const advice = options.advice ?? (CUT.test(fault) ? CUT_ADVICE : undefined);
    super(`${placeText(place)}: ${fault}.`, { ...options, advice });
    this.place = place;
    this.fault = fault;
  }
}

/** What stands in a file besides its list of rows is too much to be kept; another way to read it may do. */
export class RestTooLargeError extends DataFileError {}
