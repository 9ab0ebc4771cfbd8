import { UPLOAD_MARK } from "../../src/contract/experiment-answer.ts";
import { isRecord } from "../../src/contract/call-arguments.ts";
import { startFaultServer, type Handler } from "../wire/fault-server.ts";
import type { WireAnswer } from "../wire/faults.ts";

/** An experiment as the made service keeps it. */
export interface Kept {
  readonly id: string;
  readonly name: string;
  readonly mark: unknown;
  /** From which list on it is listed: a copy that lags. */
  readonly listedFrom: number;
}

/** How a service differs that keeps the contract, which has no list and no rule about names. */
export interface Kind {
  /** Names are taken once. */
  readonly isUnique?: boolean;
  /** It has no list of experiments, or one of another shape, or one that does not show or does not filter. */
  readonly list?: "404" | "another shape" | "html" | "none" | "unfiltered" | "without metadata";
  /** So many lists do not show a new experiment yet. */
  readonly lag?: number;
  /** What a good upload is answered with; the experiment if absent. */
  readonly answer?: WireAnswer;
}

const PATH = "/api/v1/datasets/upload-experiment";

/** A service that stores experiments in memory, behind faults; `before` are those of others, with no mark of ours. */
export async function madeService(kind: Kind = {}, before: readonly string[] = ["an older one"]) {
  const stored: Kept[] = before.map((name, index) => ({
    id: `old-${String(index + 1)}`,
    name,
    mark: "1:0",
    listedFrom: 0,
  }));
  let lists = 0;
  const store = (body: Buffer): WireAnswer => {
    const sent: unknown = JSON.parse(body.toString());
    if (!isRecord(sent)) return { status: 422, body: { detail: "not an object" } };
    const name = String(sent["experiment_name"]);
    if (kind.isUnique === true && stored.some((other) => other.name === name)) {
      return { status: 409, body: { detail: "Session already exists." } };
    }
    const metadata = sent["experiment_metadata"];
    const mark = isRecord(metadata) ? metadata[UPLOAD_MARK] : undefined;
    const id = `new-${String(stored.length - before.length + 1)}`;
    stored.push({ id, name, mark, listedFrom: lists + (kind.lag ?? 0) });
    return kind.answer ?? { status: 200, body: { experiment: { id }, dataset: { id: "d", name: "qa-set" } } };
  };
  const list = (target: string): WireAnswer => {
    const name = new URL(target, "http://made").searchParams.get("name");
    if (name !== null) lists += 1;
    if (kind.list === "404") return { status: 404, body: { detail: "Not Found" } };
    if (kind.list === "another shape") return { status: 200, body: { resources: [] } };
    if (kind.list === "html") return { status: 200, headers: { "content-type": "text/html" }, body: "<html>" };
    if (kind.list === "none") return { status: 200, body: [] };
    const shown = stored.filter((each) => lists > each.listedFrom);
    const named = shown.filter((each) => name === null || kind.list === "unfiltered" || each.name === name);
    return {
      status: 200,
      body: named.map(({ id, name: of, mark }) => ({
        id,
        name: of,
        reference_dataset_id: "d",
        extra: kind.list === "without metadata" ? null : { metadata: { [UPLOAD_MARK]: mark } },
      })),
    };
  };
  const handler: Handler = ({ method, target, path, body }) => {
    if (method === "POST" && path === PATH) return store(body);
    return method === "GET" && path === "/api/v1/sessions"
      ? list(target)
      : { status: 404, body: { detail: "Not Found" } };
  };
  const front = await startFaultServer(handler);
  return {
    front,
    url: front.url,
    /** What our uploads have stored. */
    ours: () => stored.filter(({ id }) => id.startsWith("new")),
    posts: () => front.count({ method: "POST", path: /upload-experiment$/ }),
    looks: () => front.requests.filter(({ target }) => target.includes("/sessions?name=")).length,
  };
}
