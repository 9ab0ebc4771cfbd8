import { expect, test } from "vitest";
import * as z from "zod";
import { endpointOf, NO_QUERY, requestTo } from "../../../src/contract/operations/operation.ts";

const PAIR = {
  method: "POST",
  path: "/teams/{team_id}/members/{member_id}",
  query: z.object({ order: z.string(), limit: z.number() }),
  body: z.object({ role: z.string() }),
  reply: z.string(),
  repeatable: true,
} as const;

test("a request has the parts of its path in their places, encoded, and what the response must be", () => {
  const parts = { member_id: "{team_id}", team_id: "a/b $& \ud800" };
  expect(requestTo(PAIR, parts, { query: { limit: 2 }, body: { role: "x" } })).toEqual({
    method: "POST",
    path: "/teams/a%2Fb%20%24%26%20%EF%BF%BD/members/%7Bteam_id%7D",
    query: { limit: 2 },
    body: { role: "x" },
    schema: PAIR.reply,
    repeatable: true,
  });
});

test("an operation without variable parts, query and body sends none, and is not sent twice unless it says so", () => {
  const plain = { method: "POST", path: "/runs", query: NO_QUERY, reply: z.unknown() } as const;
  expect(requestTo(plain, {})).toMatchObject({ path: "/runs", query: {}, body: undefined, repeatable: false });
  expect(endpointOf(plain)).toBe("POST /runs");
});
