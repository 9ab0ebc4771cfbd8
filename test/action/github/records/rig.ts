import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import { BestEffort } from "../../../../action/github/best-effort.ts";
import { connectGitHub } from "../../../../action/github/client.ts";
import type { NewRecord } from "../../../../action/github/records/record.ts";
import { Recorder } from "../../../../action/github/records/recorder.ts";
import { Redactor } from "../../../../src/http/redactor.ts";
import { READ_ONLY } from "../../../github/tokens.ts";
import { MAIN_SHA } from "../../../github/repository.ts";
import { stateOf } from "../../../github/deployments.ts";
import { rig } from "../../../github/rig.ts";
import { FastClock } from "../../../wire/clocks.ts";
import { inputsFor } from "../small-server.ts";

export const LOG = "https://github.example/us/agents/actions/runs/42/attempts/1";

/** The record of a run. */
function newRecord(change: Partial<NewRecord> = {}): NewRecord {
  const name = change.name ?? "agent";
  return {
    sha: MAIN_SHA,
    environment: "staging",
    task: `deploy:${name}`,
    ...{ service: "one", address: "a", tenant: "t" },
    key: randomUUID(),
    preview: undefined,
    name,
    runId: "42",
    attempt: 1,
    ...change,
  };
}

/** A GitHub, our client of it, and a recorder of each run. */
export async function records({ readOnly = false } = {}) {
  const { github: fake, repo } = await rig();
  const clock = new FastClock();
  const token = readOnly ? fake.tokenOf({ permissions: READ_ONLY }) : fake.token;
  const surroundings = { redactor: new Redactor(), signal: new AbortController().signal, clock, random: () => 0 };
  const github = connectGitHub(
    inputsFor("http://127.0.0.1", { token, api: new URL(fake.url), repository: repo }),
    surroundings,
  );
  onTestFinished(() => github[Symbol.asyncDispose]());
  const warnings: string[] = [];
  const saved: string[] = [];
  const effort = new BestEffort((message) => warnings.push(message));
  const recorder = (change?: Partial<NewRecord>, isServing: () => Promise<boolean> = () => Promise.resolve(true)) =>
    new Recorder(() => Promise.resolve(newRecord(change)), {
      github,
      effort,
      clock,
      logUrl: LOG,
      isServing,
      save: (state) => saved.push(state),
    });
  /** Deploys once, to this end. */
  const deployed = async (change?: Partial<NewRecord>): Promise<void> => {
    const one = recorder(change);
    await one.begin();
    await one.end("success", { environmentUrl: "https://agent.example" });
  };
  /** So many deploys that failed. */
  const fail = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      const one = recorder();
      await one.begin();
      await one.end("failure", {});
    }
  };
  /** The states of all records, oldest first. */
  const states = () => fake.state.deployments.all.map(stateOf).toReversed();
  return { fake, github, clock, warnings, saved, recorder, deployed, fail, states };
}
