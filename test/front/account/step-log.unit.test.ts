import { expect, test } from "vitest";
import { runnerScreen } from "../../../action/host.ts";
import { everywhere, inSummary, type Account, type RunFacts } from "../../../front/account/part.ts";
import { StepLog } from "../../../front/account/step-log.ts";

interface Ended {
  readonly type: "ended";
}

function logOf(facts: RunFacts, account: Account<RunFacts>): readonly string[] {
  const lines: string[] = [];
  const screen = runnerScreen((line) => lines.push(line), false);
  const log = new StepLog<Ended, RunFacts>({ lines: {}, account }, { screen }, () => facts);
  try {
    log.report({ type: "ended" });
  } catch (error) {
    lines.push(String(error));
  }
  return lines;
}

test("why a run failed is in the log even if its account cannot be made", () => {
  const account: Account<RunFacts> = () => {
    throw new RangeError("no such time");
  };
  expect(logOf({ ended: { error: new Error("The service is gone.") } }, account)).toEqual([
    "::error title=Failed::The service is gone.",
    "RangeError: no such time",
  ]);
});

test("the end of the log has the parts that are for it, those of a failure between its errors and what to do", () => {
  const failure = {
    title: "Inputs",
    sentence: "Two inputs are wrong.",
    advice: "Correct them.",
    list: { heading: "Input", faults: [["wait", "is missing"]], more: 2 } as const,
    paste: ["  wait: true"],
    stack: "",
  };
  const account = () => [
    ...everywhere({ label: "Uploaded", text: "one of two" }, { failure }),
    ...inSummary({ sentence: "Only in the summary." }),
  ];
  expect(logOf({}, account)).toEqual([
    "::error title=Inputs::Two inputs are wrong.",
    "  wait        is missing",
    "  and 2 more",
    "Uploaded      one of two",
    "Next          Correct them.",
    "  wait: true",
  ]);
});
