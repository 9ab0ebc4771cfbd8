import { testWith } from "../../../test-with.ts";
import { randomUUID } from "node:crypto";
import { onTestFinished } from "vitest";
import { BestEffort } from "../../../../action/github/best-effort.ts";
import { connectGitHub } from "../../../../action/github/client.ts";
import type { NewRecord } from "../../../../action/github/records/record.ts";
import type { RecordState } from "../../../../action/github/records/states.ts";
import { DeploymentBody, DeploymentStatusBody } from "../../../github/bodies.ts";
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
  const save = (state: string) => void saved.push(state);
  const deps = { github, effort, clock, logUrl: LOG, isServing: () => Promise.resolve(true), save };
  const recorder = (change?: Partial<NewRecord>, isServing = deps.isServing) =>
    new Recorder(() => Promise.resolve(newRecord(change)), { ...deps, isServing });
  /** Of a run whose record alone proves whose the deployment is. */
  const proof = new Recorder(() => Promise.resolve(newRecord()), { ...deps, isProof: true });
  /** Deploys once, to this end. */
  const deployed = async (change?: Partial<NewRecord>): Promise<void> => {
    const one = recorder(change);
    await one.begin();
    await one.end("success", { environmentUrl: "https://agent.example" });
  };
  /** Records of these states as earlier runs have left them, the oldest first; undefined for one without a state. */
  const left = (...states: readonly (RecordState | undefined)[]): void => {
    const made = {
      ref: MAIN_SHA,
      task: "deploy:agent",
      environment: "staging",
      auto_merge: false,
      required_contexts: [],
    };
    for (const state of states) {
      const one = fake.state.deployments.create(DeploymentBody.parse(made), "x");
      if ("merged" in one) throw new Error(one.merged);
      const status = { state, auto_inactive: false };
      if (state !== undefined) fake.state.deployments.addStatus(one.id, DeploymentStatusBody.parse(status), "x");
    }
  };
  /** The states of all records, oldest first. */
  const states = () => fake.state.deployments.all.map(stateOf).toReversed();
  return { fake, github, clock, warnings, saved, recorder, proof, deployed, left, states };
}

export const withRecords = testWith(records);
