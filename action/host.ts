import { appendFileSync } from "node:fs";
import { EOL, tmpdir } from "node:os";
import * as core from "@actions/core";
import { givenVariable, ownVariable, type Environment } from "../front/environment.ts";
import type { Host, HostProcess, Place, Screen } from "../front/host.ts";
import { HostFileError } from "../front/host-file-error.ts";
import { quoted } from "../src/text/quoted.ts";
import { whySecretsAreWithheld, readWorkflowRun } from "./github/run-event.ts";
import { annotation, commandFreeLine, workflowCommand } from "./workflow-command.ts";

// A runner keeps ten annotations of a type for each step (`_maxCountPerIssueType`) and silently drops the rest; one is
// left for other writers in this step.
const MOST_ANNOTATIONS = 9;

/** A runner of GitHub, as it describes itself to a step. */
export function runnerHost({ env, stdout }: HostProcess): Host {
  const place = readPlace(env);
  const summaryFile = givenVariable(env, "GITHUB_STEP_SUMMARY");
  return {
    ...runnerScreen((line) => stdout.write(line + EOL), place.debug),
    place,
    env,
    // The runner writes the name in upper case with underscores for blanks, and keeps hyphens: ProcessInvoker in
    // actions/runner, `getInput` in actions/toolkit.
    given: (option) => ownVariable(env, `INPUT_${option.replaceAll(" ", "_").toUpperCase()}`),
    run: () => readWorkflowRun(env),
    mask: core.setSecret,
    setOutput: (name, text) => {
      naming("GITHUB_OUTPUT", givenVariable(env, "GITHUB_OUTPUT"), () => {
        core.setOutput(name, text);
      });
    },
    summary:
      summaryFile === undefined
        ? undefined
        : (markdown) => {
            naming("GITHUB_STEP_SUMMARY", summaryFile, () => {
              appendFileSync(summaryFile, markdown);
            });
          },
    saveState: (name, text) => {
      naming("GITHUB_STATE", undefined, () => {
        core.saveState(name, text);
      });
    },
    explainEmptySecret: (address) => whySecretsAreWithheld(env, address),
    unattended: unattended(env),
  };
}

/** The log of a runner: a line that begins with `::` is a command for it, which no foreign text can be. */
export function runnerScreen(write: (line: string) => unknown, debug = false): Screen {
  const print = (line: string): void => {
    write(commandFreeLine(line));
  };
  return {
    print,
    annotate: (kind, text, frame) => {
      write(annotation(kind, text, frame));
    },
    group: (title, lines) => {
      write(workflowCommand("group", title));
      lines.forEach(print);
      write(workflowCommand("endgroup"));
    },
    debug: (text) => {
      if (debug) write(workflowCommand("debug", commandFreeLine(text)));
    },
    mostAnnotations: MOST_ANNOTATIONS,
  };
}

export function readPlace(env: Environment): Place {
  return {
    temp: givenVariable(env, "RUNNER_TEMP") ?? tmpdir(),
    workspace: givenVariable(env, "GITHUB_WORKSPACE"),
    names: { temp: "RUNNER_TEMP", workspace: "GITHUB_WORKSPACE" },
    machine: "runner",
    debug: env["RUNNER_DEBUG"] === "1",
    attempt: Number(givenVariable(env, "GITHUB_RUN_ATTEMPT") ?? 1),
  };
}

// Nobody decides about a run that an event starts, and an attempt before this one may have done the same.
function unattended(env: Environment): string | undefined {
  const event = givenVariable(env, "GITHUB_EVENT_NAME");
  if (event === undefined) return undefined;
  if (event !== "workflow_dispatch") return `a run of the event ${quoted(event)}`;
  const attempt = givenVariable(env, "GITHUB_RUN_ATTEMPT");
  if (attempt === "1") return undefined;
  return attempt === undefined ? "an attempt whose number is unknown" : `attempt ${quoted(attempt)}`;
}

function naming(variable: string, path: string | undefined, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new HostFileError(variable, path, error);
  }
}
