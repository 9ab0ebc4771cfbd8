import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { runAction } from "../runner/runner.ts";
import { serialise, slowloris, stalledBody, stalledHeaders, type Fault } from "../wire/faults.ts";
import { sentenceOf, standing, STEPS, useWorld } from "./bundle-rig.ts";
import { timeLapse } from "./time-lapse.ts";

const world = useWorld();
const FOREVER = Number.POSITIVE_INFINITY;
const TIMEOUT = 20;

const USUAL: Fault = { processed: true, keepsAlive: true };

/** `102 Processing` again and again, and never a response. */
const processingForEver: Fault = {
  processed: true,
  act: async ({ socket }) => {
    while (!socket.destroyed) {
      socket.write("HTTP/1.1 102 Processing\r\n\r\n");
      await sleep(20);
    }
  },
};

/** A body that comes a byte at a time; also one that nobody needs. */
const trickle: Fault = {
  processed: true,
  act: async ({ socket, answer }) => {
    const usual = serialise(answer ?? { status: 200 });
    const isEmpty = usual.indexOf("\r\n\r\n") + 4 === usual.length;
    const bytes = isEmpty ? serialise({ status: 200, body: " ".repeat(10_000) }) : usual;
    const begun = bytes.indexOf("\r\n\r\n") + 5;
    socket.write(bytes.subarray(0, begun));
    for (let at = begun; at < bytes.length && !socket.destroyed; at += 1) {
      await sleep(1_000);
      socket.write(bytes.subarray(at, at + 1));
    }
  },
};

const FAULTS: readonly (readonly [string, Fault])[] = [
  ["no header", stalledHeaders],
  ["half of a body", stalledBody],
  ["headers for ever", slowloris],
  ["102 for ever", processingForEver],
  ["a byte a second", trickle],
];

const ENDS: readonly (readonly [step: string, outcome: string, said: RegExp])[] = [
  ["list", "timed-out", / cannot be looked up: GET .* within the timeout of 20 s; nothing was written\.$/],
  ["create", "failed", / may or may not have been created/],
  ["address", "timed-out", / was created, but .* within the timeout of 20 s; no revision of it was started\.$/],
  ["upload", "timed-out", / was created, but .* within the timeout of 20 s; no revision of it was started\.$/],
  ["revision", "timed-out", / timed out waiting for revision \S+, which could not be read after /],
  ["look", "timed-out", / timed out waiting for revision \S+, which is still /],
];

describe.each(FAULTS)("the built step at a service that sends %s", (_fault, fault) => {
  test.each(ENDS)("to the request %s ends within the timeout: %s", async (name, outcome, said) => {
    await using front = await world().front();
    const { match, nth } = STEPS.find((step) => step.name === name) ?? { match: {}, nth: 1 };
    if (nth > 1) front.server.script(match, USUAL, nth - 1);
    front.server.script(match, fault, FOREVER);
    if (name === "create") {
      // The look for what became of it meets the fault, too.
      const path = /^\/v2\/deployments$/;
      front.server.script({ path }, USUAL);
      front.server.script({ path }, fault, FOREVER);
    }
    const options = front.options({ timeout: `${String(TIMEOUT)}s` }, { env: timeLapse(10) });
    const result = await runAction({ ...options, timeoutMs: 60_000 });
    expect(sentenceOf(result)).toMatch(said);
    expect(result.outputs.get("outcome")).toBe(outcome);
    // The wait has a timeout of its own; what comes before it is quick here.
    expect(Number(result.outputs.get("duration-seconds"))).toBeLessThan(TIMEOUT + 8);
    const { deployment } = standing(world().service, front.name);
    if (name === "revision" || name === "look") {
      expect(result.outputs.get("revision-id")).toBe(deployment?.latest_revision_id);
      expect(result.log.at(-1)).toContain(`revision-id: ${deployment?.latest_revision_id ?? ""}`);
    }
  });
});
