import { bytesText } from "../../../src/text/bytes.ts";
import { printFailure } from "../../report/failure-section.ts";
import type { Printer } from "../../report/printer.ts";
import { NO_FILES } from "../../report/reading-text.ts";
import { keptText, uploadFailure } from "./failure.ts";
import type { UploadFacts, WrittenRequest } from "./ledger.ts";

/** How a run ended: a failure with what is stored in spite of it. A success has said all there is to say already. */
export function printEnding(print: Printer, facts: UploadFacts): void {
  const { ended, written } = facts;
  if (ended?.error !== undefined) {
    printFailure(print, uploadFailure(ended.error), () => {
      const kept = keptText(facts);
      if (kept !== "") print.line("Uploaded", kept);
    });
  } else if (ended?.status === "dry-run" && written.length === 0) {
    print.sentence("Nothing was sent.");
  } else if (ended?.status === "no-files") {
    print.line("Results", NO_FILES);
  }
}

/** The body of an experiment is in a file. */
export function printWritten(print: Printer, { path, bytes }: WrittenRequest): void {
  print.line("Request", `written to ${path}, ${bytesText(bytes)}; nothing was sent`);
}
