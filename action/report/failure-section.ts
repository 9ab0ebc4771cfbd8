import { countText } from "../../src/text/number.ts";
import type { Failure } from "./failure.ts";
import type { Printer } from "./printer.ts";

/** The one error annotation of a run, its faults, what `printMore` has to show of it, and what to do next. */
export function printFailure(print: Printer, failure: Failure, printMore: () => void): void {
  const { title, sentence, advice, list, stack } = failure;
  print.error(title, sentence);
  if (list !== undefined) {
    const rest = list.more > 0 ? [[`and ${countText(list.more)} more`, ""] as const] : [];
    print.pairs([...list.faults, ...rest]);
  }
  printMore();
  if (print.debug) print.group("Stack", stack.split("\n"));
  if (advice !== "") print.line("Next", advice);
  print.block(failure.paste);
}
