import { expect, test } from "vitest";
import { RequestRecords } from "../../../src/local/http/request-record.ts";

const MOST_BYTES = 32 * 1024 * 1024;
const MEBIBYTE = "x".repeat(1024 * 1024 - 2);
const BODY = JSON.stringify(MEBIBYTE);

function open(records: RequestRecords, path: string, headers = {}) {
  return records.open({ server: "service", method: "GET", path, query: new URLSearchParams(), headers });
}

test("the latest requests are kept, and a service that runs for days grows no further", () => {
  const records = new RequestRecords();
  for (let index = 0; index < 10_001; index++) open(records, String(index));
  expect([records.list.length, records.list[0]?.path, records.list.at(-1)?.path]).toEqual([10_000, "1", "10000"]);
});

test("what becomes known of a request later shows in the list", () => {
  const records = new RequestRecords();
  const record = open(records, "/");
  record.status = 200;
  record.bodyBytes = 7;
  expect(records.list).toMatchObject([{ status: 200, bodyBytes: 7 }]);
});

test("a body takes no memory unless a test asks for it", () => {
  const records = new RequestRecords();
  const record = open(records, "/");
  const before = records.bytes;
  record.keep(JSON.stringify({ name: MEBIBYTE }));
  expect([records.bytes - before, records.list[0]?.json]).toEqual([0, undefined]);
});

test("a body that a test asked for is kept as it was sent, also null and false", () => {
  const records = new RequestRecords({ keepBodies: true });
  for (const text of ['{"a":[1,null]}', "null", "false"]) open(records, "/").keep(text);
  open(records, "/none");
  expect(records.list.map(({ json }) => json)).toEqual([{ a: [1, null] }, null, false, undefined]);
});

test.each([
  ["bodies", (records: RequestRecords) => open(records, "/").keep(BODY), 15],
  ["headers", (records: RequestRecords) => void open(records, "/", { "x-a": MEBIBYTE }), 15],
  ["headers that repeat", (records: RequestRecords) => void open(records, "/", { "set-cookie": [MEBIBYTE] }), 15],
  ["paths", (records: RequestRecords) => void open(records, `/${MEBIBYTE}`), 15],
])("900 requests with %s of 1 MiB take 32 MiB at most", (_what, add, kept) => {
  const records = new RequestRecords({ keepBodies: true });
  for (let index = 0; index < 900; index++) {
    add(records);
    expect(records.bytes).toBeLessThanOrEqual(MOST_BYTES);
  }
  expect(records.list.length).toBe(kept);
});

// 16 KiB, as much as a head may have, and what the engine keeps of them: 16 bytes a parameter at least.
test("requests with thousands of empty parameters are counted by what a parameter takes, not by its characters", () => {
  const records = new RequestRecords();
  const query = new URLSearchParams("a&".repeat(8000));
  records.open({ server: "service", method: "GET", path: "/", query, headers: {} });
  expect(records.bytes).toBeGreaterThan(8000 * 16 + 8000 * 2);
});

test(
  "a request that is larger than all that is kept leaves nothing behind, and the next one is kept",
  { tags: "slow" },
  () => {
    const records = new RequestRecords({ keepBodies: true });
    const large = open(records, "/large");
    large.keep(JSON.stringify("x".repeat(MOST_BYTES)));
    expect([records.list.length, records.bytes]).toEqual([0, 0]);
    // Its response comes after it was dropped.
    large.keep("{}");
    open(records, "/next");
    expect(records.list.map(({ path }) => path)).toEqual(["/next"]);
    expect(records.bytes).toBeLessThan(4096);
  },
);
