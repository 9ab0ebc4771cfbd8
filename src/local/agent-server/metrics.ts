import type { RunCounts } from "./runs.ts";
import type { HttpAnswer } from "../http/response.ts";
import type { HttpCall } from "../http/call.ts";
import { Refusal } from "../http/error.ts";

/** What the built-in agent server counts, as Prometheus' text or with `?format=json` as JSON. */
export function metrics({ query }: HttpCall, { succeeded, failed }: RunCounts): HttpAnswer {
  const format = query.get("format") ?? "prometheus";
  if (format === "json") return { status: 200, json: { runs: { succeeded, failed } } };
  if (format !== "prometheus") throw new Refusal(422, "format: must be prometheus or json");
  const lines = [
    "# HELP agent_runs_total Runs that ended, by how they ended.",
    "# TYPE agent_runs_total counter",
    `agent_runs_total{ending="succeeded"} ${String(succeeded)}`,
    `agent_runs_total{ending="failed"} ${String(failed)}`,
    "",
  ];
  return {
    status: 200,
    headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
    html: lines.join("\n"),
  };
}
