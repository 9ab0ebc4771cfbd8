import type { FilesError } from "../../src/files/file-faults.ts";
import { placeText } from "../../src/files/json/errors.ts";
import type { FaultList } from "./failure.ts";

const MOST_FAULTS = 20;

/** The faults of files with their places; undefined where the sentence of the error tells it all. */
export function fileFaultList({ faults, count, message }: FilesError): FaultList | undefined {
  const [first] = faults;
  if (first === undefined) return undefined;
  const [place, what] = [placeText(first.place), first.message];
  // The sentence tells a single fault; when the service found it, it does not tell where.
  if (count === 1 && message.includes(what) && message.includes(place)) return undefined;
  const shown = faults.slice(0, MOST_FAULTS);
  return {
    heading: "Place",
    faults: shown.map((fault) => [placeText(fault.place), fault.message]),
    more: Math.max(0, count - shown.length),
  };
}
