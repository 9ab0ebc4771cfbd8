import { ExperimentNameTakenError } from "../../experiment-upload/errors.ts";
import { hasStatus, type HttpStatusError } from "../../http/errors.ts";
import { UploadCancelledError } from "../errors.ts";
import type { UploadDeps } from "../arguments.ts";
import type { SentExperiment } from "../events.ts";
import { MOST_NAMES, type PreparedUpload } from "./prepared-upload.ts";
import { quoted } from "../../text/quoted.ts";
import type { ExperimentRequest } from "../request.ts";
import type { RowRange } from "../reading/row-spool.ts";
import { WHOLE } from "../reading/evaluation.ts";
import type { FilePlace } from "../../files/json/errors.ts";
import type { FileFault } from "../../files/file-faults.ts";
import { reasonsText } from "../../text/reasons.ts";
import { ResultsError } from "../reading/result-faults.ts";

/** Sends the experiments of one upload, in order: each under its name, or under the next that is free. */
export async function* sendExperiments(
  prepared: PreparedUpload,
  request: ExperimentRequest,
  deps: UploadDeps,
): AsyncGenerator<SentExperiment, void, void> {
  const names = prepared.names();
  for (const [index, range] of prepared.ranges.entries()) {
    let sent: SentExperiment | undefined;
    while (!sent) {
      const name = names.of(index + 1);
      try {
        sent = await sendOne(prepared, range, name, request, deps);
      } catch (error) {
        const isTaken = error instanceof ExperimentNameTakenError;
        if (!isTaken || request.onNameConflict === "fail" || names.number === MOST_NAMES) {
          throw explained(error, prepared, range, name, deps.signal);
        }
        names.next();
        deps.emit({ type: "name-taken", name, next: names.of(index + 1) });
      }
    }
    yield sent;
  }
}

async function sendOne(
  prepared: PreparedUpload,
  range: RowRange,
  name: string,
  { timeoutMilliseconds, onUnclear, run }: ExperimentRequest,
  { uploads, clock, emit }: UploadDeps,
): Promise<SentExperiment> {
  const start = clock.now();
  const report = (sentBytes: number) => {
    emit({ type: "upload-progress", name, sentBytes, totalBytes: body.bytes, milliseconds: clock.now() - start });
  };
  const body = prepared.body(name, range, report);
  report(0);
  const rows = range.end - range.first;
  const { dataset } = prepared;
  const content = prepared.body(name, range);
  const shown = [dataset.id, dataset.name].filter((given) => given !== undefined);
  const experiment = { name, rows, body, content, shown, mark: prepared.markOf(range) };
  const upload = await uploads.upload(experiment, {
    timeoutMilliseconds,
    onUnclear,
    mayBeStored: run.isRepeated,
    onSearch: (reason) => {
      emit({ type: "searched", name, reason });
    },
  });
  const { id, page, wasSent, answer, dataset: stored } = upload;
  const sent: SentExperiment = {
    ...{ name, rows, bytes: body.bytes, status: "uploaded", id, wasSent, page },
    datasetKey: { id: stored.id ?? dataset.id, name: stored.name ?? dataset.name },
    experiment: answer?.experiment,
    dataset: answer?.dataset ?? undefined,
  };
  emit({ type: "sent", experiment: sent, milliseconds: clock.now() - start });
  return sent;
}

function explained(
  error: unknown,
  prepared: PreparedUpload,
  { first, end }: RowRange,
  name: string,
  signal: AbortSignal,
): unknown {
  if (signal.aborted) {
    return new UploadCancelledError(`The upload of the experiment ${quoted(name)} was cancelled.`, {
      cause: error,
      advice: "It may still be stored if its last byte was sent: look for it by its name.",
    });
  }
  if (!hasStatus(error, 422)) return error;
  return refusedRows(error, name, (row) => (first + row < end ? prepared.placeOf(first + row) : undefined));
}

// `results.12.start_time: Input should be a valid datetime`, as src/contract/validation-error.ts writes it.
const ABOUT_ROW = /^results\.(\d+)(?:\.([^:]*))?: (.*)$/s;
const MORE = /^and (\d+) more$/;

/** The rejection of an experiment, with the places in the files of the rows that the service names. */
function refusedRows(
  error: HttpStatusError,
  name: string,
  placeOf: (row: number) => FilePlace | undefined,
): ResultsError {
  const faults: FileFault[] = [];
  let count = 0;
  for (const line of error.details) {
    const more = MORE.exec(line)?.[1];
    count += more === undefined ? 1 : Number(more);
    if (more !== undefined) continue;
    const [, row, field, message = ""] = ABOUT_ROW.exec(line) ?? [];
    const place = row === undefined ? undefined : placeOf(Number(row));
    if (!place) faults.push({ place: WHOLE, message: line });
    else faults.push({ place, message: field === undefined ? message : `${field}: ${message}` });
  }
  const reasons = faults.map(({ message }) => message);
  const why = count === 0 ? "" : `: ${reasonsText(reasons, count - reasons.length)}`;
  return new ResultsError(`The service rejected the experiment ${quoted(name)}${why} (422).`, faults, count, {
    cause: error,
    advice: "Correct what the service reports and run again; nothing of this experiment was stored.",
  });
}
