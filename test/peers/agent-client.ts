import { AgentServer } from "../../src/agent-server/client.ts";
import { HttpClient } from "../../src/http/http-client.ts";
import { readAgentCommand } from "../../src/local/agents/command.ts";
import { startAgent } from "../../src/local/agents/start.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { API_KEY, peerFolder, SURROUNDINGS } from "./rig.ts";

/** A public dev server that runs by itself, and a client of it. */
export interface PeerServer extends AsyncDisposable {
  readonly url: string;
  readonly server: AgentServer;
  /** What it printed so far. */
  readonly printed: readonly string[];
}

/** Starts a dev server in a copy of a peer's project that holds these files too, with nothing between it and the client. */
export async function startPeer(
  name: "js" | "python",
  command: string,
  files: Readonly<Record<string, string>>,
): Promise<PeerServer> {
  const folder = await peerFolder(name, files);
  const printed: string[] = [];
  const { port, process: agent } = await startAgent({
    command: readAgentCommand(command),
    directory: folder.path,
    revisionId: "7c1a64e2-7d3c-4b0e-9a51-2f6f0a6f1c11",
    environment: { ...SURROUNDINGS, GRAPH_HOST_REVISION_ID: "r-1" },
    secrets: [],
    startMilliseconds: 60_000,
    graceMilliseconds: 3_000,
    log: (_level, line) => printed.push(line),
    signal: new AbortController().signal,
  });
  const url = `http://127.0.0.1:${String(port)}`;
  const http = new HttpClient();
  return {
    url,
    printed,
    server: new AgentServer({ endpoint: new Endpoint(url, { apiKey: API_KEY }), http }),
    [Symbol.asyncDispose]: async () => {
      await http.close();
      await agent.stop(3_000);
      await folder.remove();
    },
  };
}
