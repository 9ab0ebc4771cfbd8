import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, inject } from "vitest";
import { testEndings } from "../evaluation/endings.ts";
import { startPeer, type PeerServer } from "./agent-client.ts";
import { JS_FILES, PYTHON_FILES } from "./agent-projects.ts";
import { jsCommand, pythonCommand, type Tool } from "./tools.ts";

// So that a run queues behind two others.
const WORKERS = 2;
const ONE_AT_A_TIME = `--n-jobs-per-worker ${String(WORKERS)}`;

const PEERS: readonly {
  readonly name: "js" | "python";
  readonly tool: Tool;
  readonly command: (tool: { readonly program: string }) => string;
  readonly files: Readonly<Record<string, string>>;
}[] = [
  { name: "js", tool: inject("jsPeer"), command: jsCommand, files: JS_FILES },
  { name: "python", tool: inject("pythonPeer"), command: pythonCommand, files: PYTHON_FILES },
];

describe.each(PEERS)("a trial at the real $name server", ({ name, tool, command, files }) => {
  let started: PeerServer | undefined;
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "graph-deploy-endings-"));
    if (!("missing" in tool)) started = await startPeer(name, `${command(tool)} ${ONE_AT_A_TIME}`, files);
  }, 240_000);
  afterAll(async () => {
    await started?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  let gates = 0;
  testEndings(name, async (skip) => {
    if (!started) return skip("missing" in tool ? tool.missing : "it does not run");
    const { url, server } = started;
    gates += 1;
    const gate = join(folder, String(gates));
    const held = { holdUntil: gate };
    return {
      url,
      tell: async ({ hold, end }) => {
        const occupied = hold === "pending" ? WORKERS : 0;
        for (let run = 0; run < occupied; run += 1) {
          const { thread_id: threadId } = await server.threads.create();
          const input = { question: "first?", ...held };
          const body = { assistant_id: "agent", input, on_disconnect: "continue" } as const;
          const events = server.streamRun(body, { threadId });
          await events.next();
          await events.return(undefined);
        }
        if (end === "error") return { fail: "the agent broke", ...(hold === undefined ? {} : held) };
        return { ...(end === undefined ? {} : { end }), ...(hold === undefined ? {} : held) };
      },
      release: async () => {
        await writeFile(gate, "");
      },
    };
  });
});
