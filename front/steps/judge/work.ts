import { schemaAddress } from "../../../src/contract/schema-address.ts";
import { systemClock } from "../../../src/http/clock.ts";
import { ageOf } from "../../../src/judgement/cases/baseline.ts";
import { writeSnapshot } from "../../../src/judgement/cases/snapshot-writer.ts";
import { wrongName } from "../../../src/judgement/given-names.ts";
import { judgeResults, type Judged } from "../../../src/judgement/judge-results.ts";
import { STATUSES } from "../../../src/judgement/words/standing.ts";
import { InputsError } from "../../options/inputs-error.ts";
import type { Surroundings } from "../run-step.ts";
import { makeSpool } from "../spool.ts";
import type { Against, JudgeEvent } from "./events.ts";
import type { JudgeInputs } from "./inputs.ts";
import { commentOf } from "./report/comment.ts";
import { PATH_INPUTS, type Written, type WrittenPaths } from "./written-paths.ts";
import { mkdtemp, stat } from "node:fs/promises";
import { join } from "node:path";
import { tempError } from "../../host-file-error.ts";
import { writeWhole } from "../../options/written-path.ts";

export async function carryOut(inputs: JudgeInputs, surroundings: Surroundings<JudgeEvent>): Promise<void> {
  const { request, showsTexts, runUrl } = inputs;
  const { host, signal, redactor } = surroundings;
  const warnings = [...inputs.warnings];
  const emit = (event: JudgeEvent) => {
    if (event.type === "warning") warnings.push(event.message);
    surroundings.emit(event);
  };
  const begin = performance.now();
  const judged = await judge(request, { ...surroundings, emit });
  const { judgement, results } = judged;
  const age = judgement.baseline && ageOf(judgement.baseline, systemClock.date());
  const against: Against = {
    patterns: inputs.baselinePatterns,
    age: age === undefined ? undefined : Math.max(0, age),
    anchors: request.anchor?.files.map(({ name }) => name) ?? [],
  };
  for (const message of judgement.warnings) emit({ type: "warning", message });
  emit({ type: "judged", judgement, against, milliseconds: performance.now() - begin });
  signal.throwIfAborted();
  const paths = pathsOf(judged, inputs.written, emit);
  let directory = "";
  // Where the inputs say, and else into one new directory of the job.
  const pathOf = async (what: Written, defaultName: string) => {
    const path = paths[what];
    if (path !== undefined) return path;
    directory ||= await mkdtemp(join(host.place.temp, "graph-deploy-judgement-")).catch((error: unknown) => {
      throw tempError(host.place, error);
    });
    return join(directory, defaultName);
  };
  const written = async (what: Written, path: string) => {
    emit({ type: "written", what, path, bytes: (await stat(path)).size });
  };
  const write = async (what: Written, defaultName: string, text: string) => {
    const path = await pathOf(what, defaultName);
    writeWhole(path, text, PATH_INPUTS[what]);
    await written(what, path);
  };
  const snapshot = await pathOf("snapshot", "results.snapshot.jsonl");
  writeSnapshot(results, { path: snapshot, name: snapshot });
  await written("snapshot", snapshot);
  const withSchema = { $schema: schemaAddress("judgement"), ...judgement };
  await write("judgement", "judgement.json", `${JSON.stringify(withSchema)}\n`);
  const redact = (text: string) => redactor.text(text);
  await write("comment", "comment.md", commentOf({ judgement, against }, { redact, runUrl, warnings }));
  if (paths.report !== undefined) {
    // What draws the page is loaded only for it.
    const { renderReport } = await import("../../../src/judgement/report/page.ts");
    await write("report", "report.html", await renderReport(judged, { showsTexts }));
  }
  emit({ type: "ended", milliseconds: performance.now() - begin, error: undefined });
}

/**
 * Where files are written. The baseline stays unless the judgement is green, or the file is of this run; and a run that is no
 * baseline leaves nothing where later ones look for one, since those may keep only the newest files.
 */
function pathsOf(
  { judgement, left }: Judged,
  { paths, replaced, ofBaseline }: WrittenPaths,
  emit: (event: JudgeEvent) => void,
): WrittenPaths["paths"] {
  const isOwn = left.some(({ reason, sources }) => reason === "same-run" && sources.some((name) => name === replaced));
  const isUnfit = (judgement.now.notBaseline ?? []).length > 0;
  const isKept = replaced !== undefined && !isOwn && STATUSES[judgement.status].isRed;
  if (!isKept && (!isUnfit || ofBaseline === undefined)) return paths;
  const why = isKept ? "the judgement is red" : "this run is no baseline";
  const what =
    replaced === undefined
      ? `${ofBaseline ?? ""} is a place of the baseline and is not written`
      : `${replaced} is a file of the baseline and stays as it is`;
  const message = `${what}, because ${why}: the snapshot of this run is at the output \`snapshot-path\`.`;
  emit({ type: "warning", message });
  return { ...paths, snapshot: undefined };
}

async function judge(
  request: JudgeInputs["request"],
  { host, signal, emit }: Pick<Surroundings<JudgeEvent>, "emit" | "host" | "signal">,
): Promise<Judged> {
  await using spool = await makeSpool(host);
  return await judgeResults(
    {
      ...request,
      checkNames: (read) => {
        const wrong = wrongName(request, read);
        if (wrong) throw new InputsError([{ input: wrong.option, message: wrong.message }]);
      },
    },
    {
      spoolDirectory: spool.directory,
      clock: systemClock,
      signal,
      emit: (event) => {
        const { type } = event;
        if (type === "file-read" || type === "read" || type === "reading" || type === "warning") emit(event);
      },
    },
  );
}
