import { isUtf8 } from "node:buffer";
import { readForm, type FormPart } from "./multipart-reader.ts";
import { HttpError } from "../http/error.ts";
import { parseText, runChange, type RunChange } from "./change.ts";
import type { RunAttachment } from "./store.ts";

export interface RunForm {
  readonly changes: readonly RunChange[];
  readonly attachments: readonly RunAttachment[];
}

/** A run whose parts are being collected. */
interface OpenRun {
  readonly event: "patch" | "post";
  readonly id: string;
  main: string | undefined;
  readonly parts: Map<string, string>;
}

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const RUN_PART = new RegExp(`^(post|patch)\\.(${UUID})(?:\\.(inputs|outputs|events|error|extra|serialized))?$`, "i");
const ATTACHMENT = new RegExp(`^attachment\\.(${UUID})\\.(.+)$`, "is");
const FEEDBACK = new RegExp(`^feedback\\.${UUID}$`, "i");

/** Reads a form with runs; 422 if a run or a part is invalid. */
export function readRunForm(body: Buffer, boundary: string): RunForm {
  const runs: OpenRun[] = [];
  const latest = new Map<string, OpenRun>();
  const attachments: RunAttachment[] = [];
  // Checking the whole body once is enough, unless it has binary attachments.
  const allText = isUtf8(body);
  const text = ({ name, from, to }: FormPart) => {
    if (!allText && !isUtf8(body.subarray(from, to)))
      throw new HttpError(422, `part ${name}: the content is not UTF-8`);
    return body.toString("utf8", from, to);
  };
  for (const part of readForm(body, boundary)) {
    const [, event, id = "", field] = RUN_PART.exec(part.name) ?? [];
    if (event === undefined) {
      const attachment = otherPart(part);
      if (attachment) attachments.push(attachment);
      continue;
    }
    if (part.type !== "application/json") {
      throw new HttpError(422, `part ${part.name}: Content-Type ${part.type} is not application/json`);
    }
    const key = `${event}.${id.toLowerCase()}`;
    let run = latest.get(key);
    // A second main part is another change of the run.
    if (!run || (field === undefined ? run.main !== undefined : run.parts.has(field))) {
      run = { event: event === "post" ? "post" : "patch", id, main: undefined, parts: new Map() };
      latest.set(key, run);
      runs.push(run);
    }
    if (field === undefined) run.main = text(part);
    else {
      const content = text(part);
      parseText(content, `part ${part.name}`);
      run.parts.set(field, content);
    }
  }
  return { changes: runs.map(changeOf), attachments };
}

function changeOf({ event, id, main, parts }: OpenRun): RunChange {
  if (main === undefined) throw new HttpError(422, `part ${event}.${id} is missing`);
  return runChange({ made: event === "post", id, main, parts });
}

// Feedback is accepted and dropped.
function otherPart({ name, type, from, to }: FormPart): RunAttachment | undefined {
  const [, runId, file] = ATTACHMENT.exec(name) ?? [];
  if (runId !== undefined && file !== undefined) {
    return { runId: runId.toLowerCase(), name: file, type, bytes: to - from };
  }
  if (FEEDBACK.test(name)) return undefined;
  throw new HttpError(422, `part ${name}: a name is EVENT.RUN_ID or EVENT.RUN_ID.FIELD`);
}
