import { expect, test } from "vitest";
import { sectionsOf } from "../../../../action/github/comment/body.ts";
import { pullRequestEvent } from "../../../github/events.ts";
import { rig } from "../../../action/preview-rig.ts";

// A minute, and the rest of a response: the clock moves by whole ones.
const MOST_MILLISECONDS = 65_000;
const ON_GITHUB = { preview: "false", environment: "production", comment: "true" };

/** A deploy to a GitHub of which each response takes so long, after so many other deploys; how long it takes. */
async function slowDeploy(milliseconds: number, earlier = 0) {
  const { deploy, pulls, github, clock } = await rig();
  pulls.open({ number: 7 });
  const event = pullRequestEvent(github.state, 7, "synchronize");
  for (let times = 0; times < earlier; times += 1) await deploy(event, ON_GITHUB);
  const begin = clock.now();
  github.turn = async () => {
    clock.pass(milliseconds);
    // A client has given up by then.
    if (milliseconds >= 10_000) await new Promise(() => undefined);
  };
  const { outcome } = await deploy(event, { ...ON_GITHUB, "image-uri": "registry/agent:2" });
  const shown = github.state.comments.of(7).flatMap(({ body }) => sectionsOf(body));
  return { outcome, waited: clock.now() - begin, shown };
}

test.each([
  ["each request after 4 s", 4_000, 0],
  ["each request after 4 s, with a comment and many records there", 4_000, 12],
  ["each request after 9 s", 9_000, 1],
  ["none", 10_000, 1],
])(
  "a GitHub that answers %s keeps a deploy for a minute at most",
  { tags: "slow" },
  async (_, milliseconds, earlier) => {
    const { outcome, waited } = await slowDeploy(milliseconds, earlier);
    expect(outcome).toBe("deployed");
    expect(waited).toBeLessThanOrEqual(MOST_MILLISECONDS);
  },
);

test("a GitHub that answers each request after 4 s gets the comment all the same", async () => {
  const { shown } = await slowDeploy(4_000);
  expect(shown.map(({ facts: { state } }) => state)).toEqual(["live"]);
});
