import { schemaAddress } from "../../../src/contract/schema-address.ts";
import { systemClock } from "../../../src/http/clock.ts";
import { ageOf } from "../../../src/judgement/cases/baseline.ts";
import { writeSnapshot } from "../../../src/judgement/cases/snapshot-writer.ts";
import { clusterFault, directionsFault, rangesFault } from "../../../src/judgement/given-names.ts";
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
import type { Place } from "../../host.ts";
import { tempError } from "../../host-file-error.ts";
import { writeWhole } from "../../options/whole-file.ts";

/** Judges, and writes what it found. */
export async function carryOut(inputs: JudgeInputs, surroundings: Surroundings<JudgeEvent>): Promise<void> {
  const { request, showsTexts, runUrl } = inputs;
  const { host, signal, redactor } = surroundings;
  const warnings = [...inputs.warnings];
  const emit = (event: JudgeEvent) => {
    if (event.type === "warning") warnings.push(event.message);
    surroundings.emit(event);
  };
  const begin = performance.now();
  const judged = await judge(inputs, { ...surroundings, emit });
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
  const files = new WrittenFiles(paths, host.place, emit);
  await files.make("snapshot", "results.snapshot.jsonl", (path, name) => {
    writeSnapshot(results, { path, name });
  });
  const withSchema = { $schema: schemaAddress("judgement"), ...judgement };
  await files.write("judgement", "judgement.json", `${JSON.stringify(withSchema)}\n`);
  const redact = (text: string) => redactor.text(text);
  await files.write("comment", "comment.md", commentOf({ judgement, against }, { redact, runUrl, warnings }));
  if (paths.report !== undefined) {
    await files.write("report", "report.html", await reportPage(judged, { showsTexts }));
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

/** What the inputs name must be in the results: what is not there has no effect. */
function checkNames(
  { cluster, directions, ranges }: JudgeInputs["request"],
  read: Pick<Judged, "baseline" | "results">,
): void {
  const fault = clusterFault(cluster, read.results);
  if (fault !== "") throw new InputsError([{ input: "cluster", message: fault }]);
  const direction = directionsFault(directions, read);
  if (direction !== "") throw new InputsError([{ input: "directions", message: direction }]);
  const range = rangesFault(ranges, read);
  if (range !== "") throw new InputsError([{ input: "ranges", message: range }]);
}

async function judge(
  { request }: JudgeInputs,
  { host, signal, emit }: Pick<Surroundings<JudgeEvent>, "emit" | "host" | "signal">,
): Promise<Judged> {
  await using spool = await makeSpool(host);
  const check = (read: Pick<Judged, "baseline" | "results">) => {
    checkNames(request, read);
  };
  return await judgeResults(
    { ...request, checkNames: check },
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

/** The page of a judgement. Its code, which draws, is loaded only here. */
async function reportPage(judged: Judged, options: { readonly showsTexts: boolean }): Promise<string> {
  const { renderReport } = await import("../../../src/judgement/report/page.ts");
  return await renderReport(judged, options);
}

const PREFIX = "graph-deploy-judgement-";

/** Writes the files of a judgement: where the inputs say, and else into one new directory of the job. */
class WrittenFiles {
  readonly #given: WrittenPaths["paths"];
  readonly #place: Place;
  readonly #emit: (event: JudgeEvent) => void;
  #directory?: string;

  constructor(given: WrittenPaths["paths"], place: Place, emit: (event: JudgeEvent) => void) {
    this.#given = given;
    this.#place = place;
    this.#emit = emit;
  }

  /** A reader of the file sees the one that was there before, or all of the new one. */
  async write(what: Written, defaultName: string, text: string): Promise<void> {
    await this.make(what, defaultName, (path) => {
      writeWhole(path, text, PATH_INPUTS[what]);
    });
  }

  /** `make` makes the file at a path; `name` is what the user calls it. */
  async make(what: Written, defaultName: string, make: (path: string, name: string) => void): Promise<void> {
    const path = this.#given[what] ?? join(await this.#defaultDirectory(), defaultName);
    make(path, path);
    this.#emit({ type: "written", what, path, bytes: (await stat(path)).size });
  }

  async #defaultDirectory(): Promise<string> {
    try {
      this.#directory ??= await mkdtemp(join(this.#place.temp, PREFIX));
      return this.#directory;
    } catch (error) {
      throw tempError(this.#place, error);
    }
  }
}
