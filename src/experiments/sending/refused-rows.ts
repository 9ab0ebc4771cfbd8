import type { HttpStatusError } from "../../http/errors.ts";
import { WHOLE } from "../reading/evaluation.ts";
import type { FilePlace } from "../../files/json/errors.ts";
import type { FileFault } from "../../files/file-faults.ts";
import { quoted } from "../../text/quoted.ts";
import { reasonsText } from "../../text/reasons.ts";
import { ResultsError } from "../reading/result-faults.ts";

// `results.12.start_time: Input should be a valid datetime`, as src/contract/validation-error.ts writes it.
const ABOUT_ROW = /^results\.(\d+)(?:\.([^:]*))?: (.*)$/s;
const MORE = /^and (\d+) more$/;

/** The refusal of an experiment, with the rows that the service names where they stand in the files. */
export function refusedRows(
  error: HttpStatusError,
  name: string,
  placeOf: (row: number) => FilePlace | undefined,
): ResultsError {
  const faults: FileFault[] = [];
  let count = 0;
  for (const line of error.details) {
    const more = MORE.exec(line)?.[1];
    count += more === undefined ? 1 : Number(more);
    if (more === undefined) faults.push(faultOf(line, placeOf));
  }
  const reasons = faults.map(({ message }) => message);
  const why = count === 0 ? "" : `: ${reasonsText(reasons, count - reasons.length)}`;
  return new ResultsError(`The service refuses the experiment ${quoted(name)}${why} (422).`, faults, count, {
    cause: error,
    advice: "Correct what the service names, and run again; nothing of this experiment was stored.",
  });
}

function faultOf(line: string, placeOf: (row: number) => FilePlace | undefined): FileFault {
  const [, row, field, message = ""] = ABOUT_ROW.exec(line) ?? [];
  const place = row === undefined ? undefined : placeOf(Number(row));
  if (place === undefined) return { place: WHOLE, message: line };
  return { place, message: field === undefined ? message : `${field}: ${message}` };
}
