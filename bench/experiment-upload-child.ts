import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { ExperimentUploads } from "../src/experiment-upload/client.ts";
import { uploadResults } from "../src/experiments/upload.ts";
import { systemClock } from "../src/http/clock.ts";
import { HttpClient } from "../src/http/http-client.ts";
import { Endpoint } from "../src/http/endpoint.ts";

/**
 * A whole upload, read, checked, kept on the disk and sent, in a process of its own; the clock starts when the code is
 * loaded. Arguments: file, how many rows it holds, and where the experiment is uploaded to.
 */
const [file = "", expected = "", url = ""] = process.argv.slice(2);
const spoolDirectory = mkdtempSync(join(tmpdir(), "graph-deploy-bench-experiment-"));
const http = new HttpClient();
try {
  const begin = performance.now();
  const sent = await uploadResults(
    {
      results: { files: [{ path: file, name: basename(file) }], format: undefined, mapping: undefined, workspace: "/" },
      name: "bench",
      defaultName: "bench",
      description: undefined,
      datasetId: undefined,
      datasetName: "questions",
      datasetDescription: undefined,
      facts: {},
      metadata: {},
      summaryScores: [],
      timePolicy: "strict",
      expectedShards: 1,
      expectedRows: Number(expected),
      allowNoScores: false,
      onNameConflict: "fail",
      onUnclear: "fail",
      run: { id: "bench", isRepeated: false },
      maxRows: undefined,
      timeoutMilliseconds: 600_000,
    },
    {
      spoolDirectory,
      clock: systemClock,
      signal: new AbortController().signal,
      emit: () => undefined,
      uploads: new ExperimentUploads({ endpoint: new Endpoint(url), http }),
    },
  );
  const seconds = (performance.now() - begin) / 1000;
  if (sent.length !== 1) throw new Error(`${file} became ${sent.length} experiments`);
  console.log(JSON.stringify({ seconds, peakKilobytes: process.resourceUsage().maxRSS }));
} finally {
  await http.close();
  rmSync(spoolDirectory, { recursive: true, force: true });
}
