import { startLocalService } from "../src/local/index.ts";
import { runRounds, type Case, type Sample } from "./rounds.ts";
import { busyBetween, StartedProcess } from "./started-process.ts";
import { megabytes, targetLine } from "./table.ts";
import { timesTable } from "./times.ts";

const COUNT = 100;
const PEAK_BYTES = 150e6;
const WALK_MILLISECONDS = 3_000;

/** Creates of many deployments at once by the built plugin, without secrets and with the same ones. */
export async function pulumiCreates(plugin: string, rounds: number): Promise<void> {
  console.log(`\n${COUNT} deployments at once by the plugin, each ${WALK_MILLISECONDS / 1000} s on its way`);
  const secrets = { secrets: { MODEL_API_KEY: "sk-of-the-bench" }, secretsFromEnv: { STORE_KEY: "BENCH_STORE_KEY" } };
  const caseOf = (name: string, more: object): Case => ({ name, run: () => creates(plugin, more) });
  const results = await runRounds([caseOf("without secrets", {}), caseOf("with secrets", secrets)], rounds);
  const [plain, secret] = results;
  if (plain === undefined || secret === undefined) return;
  for (const line of timesTable(results, plain)) console.log(line);
  console.log("");
  const { peakBytes } = secret;
  if (peakBytes === undefined) return;
  console.log(
    targetLine("with secrets: at most 150 MB of memory", `${megabytes(peakBytes)} MB`, peakBytes <= PEAK_BYTES),
  );
}

async function creates(plugin: string, more: object): Promise<Sample> {
  await using service = await startLocalService({ walkMilliseconds: WALK_MILLISECONDS });
  const env = { ...process.env, BENCH_STORE_KEY: "store-key-of-the-bench" };
  await using started = await StartedProcess.start([plugin], import.meta.dirname, env);
  await started.configure({ controlPlaneUrl: service.url, apiKey: "key-of-the-bench-0123456789" });
  const [begin, before] = [performance.now(), started.busy];
  const made = Array.from({ length: COUNT }, async (_, index) => {
    const name = `agent-${index}`;
    await started.create(
      { name, source: "external_docker", imageUri: `registry.example/agent:${index}`, ...more },
      name,
    );
  });
  await Promise.all(made);
  const seconds = (performance.now() - begin) / 1000;
  return { seconds, processorSeconds: busyBetween(before, started.busy), peakBytes: started.peakBytes };
}
