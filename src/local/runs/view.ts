import { formatInstant } from "../../contract/instant.ts";
import { membersOf, RawJson } from "../http/raw-json.ts";
import { projectPath, tracePath } from "../pages/paths.ts";
import { timestamp } from "../state/database.ts";
import { microsecondsOf } from "./change.ts";
import type { ProjectRow } from "./project-store.ts";
import type { RunAttachment, RunRow, TraceRow } from "./store.ts";

const TIMES: ReadonlySet<string> = new Set(["start_time", "end_time"]);
// Some clients send empty values, others leave them out.
const EMPTY = /^\s*(?:\{\s*\}|\[\s*\])\s*$/;

export function viewProject(project: ProjectRow, tenantId: string) {
  const { id, name, created_at, run_count, trace_count, last_start_ms } = project;
  return {
    id,
    name,
    tenant_id: tenantId,
    reference_dataset_id: null,
    created_at,
    start_time: created_at,
    run_count,
    trace_count,
    last_run_start_time: last_start_ms === null ? undefined : timestamp(last_start_ms),
    app_path: projectPath(tenantId, project),
  };
}

/**
 * A run in a response: each field as it was sent, without null values and without empty inputs, outputs and events, and
 * a status, which public clients read, unless one was sent.
 * Times have one format; clients send several.
 */
export function viewRun(run: RunRow, tenantId: string, attachments: readonly RunAttachment[] = []) {
  const { id, trace_id, parent_id, dotted_order, session_id, session_name } = run;
  const raw = (text: string | null) => (text === null || EMPTY.test(text) ? undefined : new RawJson(text));
  const fields = [...membersOf(run.fields)].map(([name, text]) => {
    const time = TIMES.has(name) ? microsecondsOf(JSON.parse(text)) : undefined;
    return [name, time === undefined ? new RawJson(text) : formatInstant(BigInt(time))] as const;
  });
  const files = attachments.map(({ name, type, bytes }) => [name, { type, bytes }] as const);
  return {
    id,
    trace_id,
    parent_run_id: parent_id ?? undefined,
    dotted_order,
    session_id,
    session_name,
    status: statusOf(run),
    ...Object.fromEntries(fields),
    inputs: raw(run.inputs),
    outputs: raw(run.outputs),
    events: raw(run.events),
    // A run may have a field with this name.
    ...(files.length === 0 ? {} : { attachments: Object.fromEntries(files) }),
    app_path: tracePath(tenantId, session_id, trace_id),
  };
}

export function viewTrace(trace: TraceRow, tenantId: string) {
  const { id, session_id, name, start_ms, end_ms, run_count, failed_count } = trace;
  return {
    id,
    session_id,
    name: name ?? undefined,
    start_time: timestamp(start_ms),
    end_time: end_ms === null ? undefined : timestamp(end_ms),
    status: statusOf(trace),
    run_count,
    failed_count,
    app_path: tracePath(tenantId, session_id, id),
  };
}

export function statusOf({ failed, end_ms }: Pick<RunRow, "end_ms" | "failed">): "error" | "pending" | "success" {
  if (failed) return "error";
  return end_ms === null ? "pending" : "success";
}
