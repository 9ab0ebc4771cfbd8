import { describe, expect, test } from "vitest";
import { cut, lost } from "../../../github/faults.ts";
import { withRecords, records } from "./rig.ts";

const CREATE = { method: "POST", path: /\/deployments$/ };

describe("a create whose response is lost", () => {
  withRecords("made the record, which is found and used", async ({ fake, deployed, states, warnings }) => {
    fake.faults.add(CREATE, lost);
    await deployed();
    expect(states()).toEqual(["success"]);
    expect(warnings).toEqual([]);
  });

  withRecords("made it, and the list does not have it at once", async ({ fake, deployed, states }) => {
    fake.state.deployments.lag.lists = 1;
    fake.faults.add(CREATE, lost);
    await deployed();
    expect(states()).toEqual(["success"]);
  });

  withRecords("made none, and is sent once more", async ({ fake, deployed, states }) => {
    fake.faults.add(CREATE, cut);
    await deployed();
    expect(states()).toEqual(["success"]);
    expect(fake.count("POST", CREATE.path)).toBe(2);
  });
});

describe("the state of a record", () => {
  test("has no address that is not one of the web, and a description that GitHub takes", async () => {
    const { fake, recorder, warnings } = await records();
    const one = recorder();
    await one.begin();
    await one.end("success", { environmentUrl: "javascript:alert(1)", description: "x".repeat(300) });
    const status = fake.state.deployments.all[0]?.statuses.at(-1);
    expect(status).toMatchObject({ state: "success", environmentUrl: "" });
    expect(status?.description).toHaveLength(140);
    expect(warnings).toEqual([]);
  });

  test("has its state without addresses that GitHub does not take", async () => {
    const { fake, recorder, states, warnings } = await records();
    fake.state.deployments.longestUrl = 20;
    const one = recorder();
    await one.begin();
    await one.end("success", { environmentUrl: "https://agent.example" });
    expect(states()).toEqual(["success"]);
    expect(warnings).toEqual([]);
  });
});
