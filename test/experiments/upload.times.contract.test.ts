import { describe, expect, test } from "vitest";
import { ResultsError } from "../../src/experiments/reading/result-faults.ts";
import { TIME_FORMS } from "../../src/files/source-time.ts";
import { placeText } from "../../src/files/json/errors.ts";
import { row, uploadRig } from "./upload-rig.ts";

/** The faults of one file, as sentences; anything but a ResultsError is thrown on. */
async function faultsOf(content: string, name = "r.json"): Promise<readonly string[]> {
  const { write, dryRun } = await uploadRig();
  await write({ [name]: content });
  try {
    await dryRun();
  } catch (error) {
    if (!(error instanceof ResultsError)) throw error;
    return error.faults.map(({ place, message }) => `${placeText(place)}: ${message}`);
  }
  return [];
}

/** A report of jest, or of vitest without its counter, with the JSON text of three times. */
const report = (tool: "jest" | "vitest", { startTime = "1795266640435", startAt = "1795266641246", duration = "2" }) =>
  `{${tool === "jest" ? '"numRuntimeErrorTestSuites":0,' : ""}"numTotalTests":1,"startTime":${startTime},"testResults":[
{"name":"a.test.js","status":"passed","message":"","assertionResults":[
{"title":"t","status":"passed","duration":${duration},"startAt":${startAt}}]}]}`;

// The first is the last millisecond that Date knows, the second the first of the year 10000.
const NO_TIMES = ["8.64e15", "253402300800000", "8640000000000001", "9".repeat(400), "1e400", "-1", "NaN"];

describe.each(["jest", "vitest"] as const)(
  "a time that cannot be one in a report of %s is a fault with its place",
  (tool) => {
    test.each(NO_TIMES)("as the start of the run: %s", async (startTime) => {
      expect(await faultsOf(report(tool, { startTime }))).toEqual([
        `r.json: \`startTime\` is a number, not a time; ${TIME_FORMS}`,
      ]);
    });

    test.each(NO_TIMES)("as the start of a test: %s", async (startAt) => {
      expect(await faultsOf(report(tool, { startAt }))).toEqual([
        expect.stringMatching(
          /^r\.json, row 1: (?:start_time|`testResults\.0\.assertionResults\.0\.startAt`) is a number, (?:and no|not)/,
        ),
      ]);
    });

    test.each(["8.64e15", "1e400", "-1"])("as the duration of a test: %s", async (duration) => {
      expect(await faultsOf(report(tool, { duration }))).toEqual([
        expect.stringMatching(/^r\.json, row 1: (?:the latency|`testResults\.0\.assertionResults\.0\.duration`) /),
      ]);
    });

    test("and what is a time, or no duration, is none", async () => {
      expect(
        await faultsOf(report(tool, { startTime: "253402300799998", startAt: "253402300799998", duration: "1" })),
      ).toEqual([]);
      expect(await faultsOf(report(tool, { duration: "NaN" }))).toEqual([]);
      expect(await faultsOf(report(tool, { startAt: "null", startTime: "null" }))).toEqual([]);
    });
  },
);

describe("a time that no service can store is a fault with its place", () => {
  const TIMES = [
    "9999-12-31T23:59:60Z",
    "9999-12-31T23:59:59.999-00:01",
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-23:59",
  ];

  test.each(TIMES)("in a row: %s", async (time) => {
    for (const field of ["start_time", "end_time"]) {
      const faults = await faultsOf(`${row(1)}\n${row(2, { [field]: time })}\n`, "r.jsonl");
      expect(faults).toEqual([`r.jsonl, line 2: ${field} is a text, not a time; ${TIME_FORMS}`]);
    }
  });

  test("as the end of a row that is made of its start and its latency, and as the start", async () => {
    const table = (column: string, time: string, latency: number) =>
      `input,exact,${column},latency\na,1,${time},${latency}\n`;
    expect(await faultsOf(table("start_time", "9999-12-31T23:59:59Z", 2), "r.csv")).toEqual([
      "r.csv, line 2: the latency leads to a time outside the years 1 to 9999",
    ]);
    expect(await faultsOf(table("end_time", "0001-01-01T00:00:01Z", 2), "r.csv")).toEqual([
      "r.csv, line 2: the latency leads to a time outside the years 1 to 9999",
    ]);
    expect(await faultsOf(table("start_time", "9999-12-31T23:59:58Z", 1), "r.csv")).toEqual([]);
  });

  test("as the start and the end of the experiment, by the name of the field", async () => {
    const native = (fields: object) =>
      `${JSON.stringify({ type: "experiment", experiment_name: "n", ...fields })}\n${row(1)}\n`;
    expect(
      await faultsOf(native({ experiment_start_time: 8.64e15, experiment_end_time: TIMES[0] }), "r.jsonl"),
    ).toEqual([
      `r.jsonl: \`experiment_start_time\` is a number, not a time; ${TIME_FORMS}`,
      `r.jsonl: \`experiment_end_time\` is a text, not a time; ${TIME_FORMS}`,
    ]);
  });
});

describe("a date as Excel counts it is refused with that word", () => {
  const SERIAL = "start_time is a serial number of a date in Excel; ";

  test.each([
    ["a CSV file", "r.csv", "input,exact,start_time\na,1,45000.25\nb,1,45001\n", "line 2"],
    ["a CSV file by another name", "r.csv", "input,exact,started_at\na,1,45000.25\nb,1,45001\n", "line 2"],
    [
      "JSON Lines",
      "r.jsonl",
      '{"input":"a","exact":1,"start_time":45000.25}\n{"input":"b","exact":1,"start_time":45001}\n',
      "line 1",
    ],
    ["rows of this service", "r.jsonl", `${row(1)}\n${row(2, { start_time: 45000.25 })}\n`, "line 2"],
  ])("in %s", async (_what, name, content, line) => {
    const [fault] = await faultsOf(content, name);
    expect(fault).toBe(`${name}, ${line}: ${SERIAL}${TIME_FORMS}`);
  });

  test(
    "and where a column is only named like the start of something, small numbers are none",
    { tags: "slow" },
    async () => {
      for (const column of ["start", "end", "start_time"]) {
        expect(await faultsOf(`input,exact,${column}\na,1,0\nb,1,45000\n`, "r.csv")).toEqual([]);
      }
      expect(await faultsOf("input,exact,start\na,1,45000\nb,1,45001\n", "r.csv")).toEqual([]);
      expect(await faultsOf("input,exact,start\na,1,0.5\nb,1,45001.5\n", "r.csv")).toEqual([]);
    },
  );

  test.each([
    ["with a time of day", "input,exact,start\na,1,45000\nb,1,45001.25\n"],
    ["with a decimal comma", "input;exact;start_time\na;1;45000,25\nb;1;45001,5\n"],
  ])("%s", async (_what, content) => {
    expect((await faultsOf(content, "r.csv"))[0]).toBe(`r.csv, line 2: ${SERIAL}${TIME_FORMS}`);
  });
});
