import { expect, test } from "vitest";
import { RequestRecords } from "../../../src/local/http/request-record.ts";

test("the latest requests are kept, and a service that runs for days grows no further", () => {
  const records = new RequestRecords();
  const open = (path: string) =>
    records.open({ server: "service", method: "GET", path, query: new URLSearchParams(), headers: {} });
  for (let index = 0; index < 10_001; index++) open(String(index));
  expect([records.list.length, records.list[0]?.path, records.list.at(-1)?.path]).toEqual([10_000, "1", "10000"]);
});

test("what becomes known of a request later shows in the list", () => {
  const records = new RequestRecords();
  const record = records.open({
    server: "agent",
    method: "POST",
    path: "/",
    query: new URLSearchParams(),
    headers: {},
  });
  record.status = 200;
  expect(records.list).toMatchObject([{ status: 200, bodyBytes: 0 }]);
});
