import { expect, test } from "vitest";
import { removeDeployment, type RemoveEvent } from "../../src/deployment/remove.ts";
import type { FaultAction } from "../../src/local/faults/faults.ts";
import { FastClock } from "../wire/clocks.ts";
import { rig } from "./rig.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const ALWAYS = Number.POSITIVE_INFINITY;

type Refused = Extract<RemoveEvent, { type: "delete-refused" }>;

/** A service with one deployment that answers a delete so, and a clock that does not wait. */
async function refusing(action: FaultAction, { hold }: { hold?: string } = {}) {
  const clock = new FastClock();
  const { service, deps, deploy } = await rig({}, undefined, clock);
  const { deploymentId } = await deploy();
  if (hold !== undefined) {
    service.faults.nextRevision({ hold });
    await deploy({ wait: false });
  }
  const fault = service.faults.add({ match: { method: "DELETE" }, times: ALWAYS, do: action });
  const events: Refused[] = [];
  const start = clock.now();
  const remove = (timeoutMilliseconds: number) =>
    removeDeployment(
      { deploymentId, timeoutMilliseconds },
      {
        ...deps,
        random: () => 0.5,
        emit: (event) => {
          if (event.type === "delete-refused") events.push(event);
        },
      },
    );
  return { service, clock, fault, events, deploymentId, remove, elapsed: () => clock.now() - start };
}

/** Seconds from one line to the next. */
function pauses(events: readonly Refused[]): readonly number[] {
  const at = events.map(({ elapsedMilliseconds }) => elapsedMilliseconds);
  return at.slice(1).map((time, index) => Math.round((time - (at[index] ?? 0)) / SECOND));
}

test.each([
  ["fails each time", { kind: "answer", status: 503 }],
  ["limits the rate each time", { kind: "answer", status: 429 }],
  ["fails each time and asks for pauses", { kind: "answer", status: 503, headers: { "retry-after": "35" } }],
  ["refuses although no revision is on its way", { kind: "answer", status: 409, body: { detail: "locked" } }],
] as const)(
  "a delete that the service %s ends after two minutes, and says what it waits for",
  { tags: "slow" },
  async (_, action) => {
    const { remove, elapsed, events, service, deploymentId } = await refusing(action);
    await expect(remove(30 * MINUTE)).rejects.toMatchObject({
      code: "DELETE_REFUSED",
      message: expect.stringMatching(
        new RegExp(
          `^Deployment ${deploymentId} was not deleted within 2 min: DELETE .* returned ${String(action.status)}`,
        ),
      ) as string,
    });
    expect(elapsed()).toBeGreaterThanOrEqual(2 * MINUTE);
    expect(elapsed()).toBeLessThan(2 * MINUTE + 15 * SECOND);
    expect(events[0]).toMatchObject({ refusal: { revision: undefined, error: { status: action.status } } });
    if (!("headers" in action)) expect(events.length).toBeGreaterThan(8);
    expect(service.deployments()).toHaveLength(1);
  },
);

test(
  "a delete that is refused while a revision is on its way is waited for until the timeout, with a line each 10 s",
  { tags: "slow" },
  async () => {
    const { remove, elapsed, events } = await refusing({ kind: "answer", status: 409 }, { hold: "BUILDING" });
    const removal = await remove(10 * MINUTE);
    expect(removal).toMatchObject({ outcome: "still-there", refusal: { revision: { status: "BUILDING" } } });
    expect(elapsed()).toBeGreaterThanOrEqual(10 * MINUTE);
    const building = events.filter(({ refusal }) => refusal.revision?.status === "BUILDING");
    expect(building.length).toBeGreaterThanOrEqual(60);
    expect(new Set(pauses(building))).toEqual(new Set([10]));
  },
);

test("a delete that is refused because of a revision is made when that has ended", async () => {
  const { remove, clock, service, fault } = await refusing({ kind: "answer", status: 409 }, { hold: "BUILDING" });
  clock.meanwhile = async () => {
    clock.pass(5 * MINUTE);
    fault.remove();
    service.faults.revisions.release();
  };
  expect(await remove(30 * MINUTE)).toMatchObject({ outcome: "gone" });
});

test("a service that recovers within two minutes deletes", async () => {
  const { remove, clock, fault } = await refusing({ kind: "answer", status: 500 });
  clock.meanwhile = async () => {
    clock.pass(MINUTE);
    fault.remove();
  };
  expect(await remove(30 * MINUTE)).toMatchObject({ outcome: "gone" });
});

test("a service that fails to show what it deletes is asked for two minutes, too", async () => {
  const { remove, service, elapsed } = await refusing({ kind: "answer", status: 503, when: "after" });
  service.faults.add({ match: { method: "GET" }, times: ALWAYS, do: { kind: "answer", status: 502 } });
  await expect(remove(30 * MINUTE)).rejects.toMatchObject({
    code: "DELETE_REFUSED",
    message: expect.stringContaining("returned 502") as string,
  });
  expect(elapsed()).toBeLessThan(2 * MINUTE + 15 * SECOND);
});

test("a shorter timeout ends earlier, and says why", { tags: "slow" }, async () => {
  const { remove, elapsed } = await refusing({ kind: "answer", status: 409 });
  expect(await remove(20 * SECOND)).toMatchObject({ outcome: "still-there", refusal: { error: { status: 409 } } });
  expect(elapsed()).toBeLessThan(25 * SECOND);
});
