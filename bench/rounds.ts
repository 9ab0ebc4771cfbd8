/** What one run of a case took. */
export interface Sample {
  readonly seconds: number;
  /** The most memory that one of its processes held; undefined where this system does not report it. */
  readonly peakBytes?: number | undefined;
  /** What all of its processes together kept a processor busy, from the start of the first one. */
  readonly processorSeconds?: number | undefined;
  /** How many processors others kept busy meanwhile: what makes a time worse than it is. */
  readonly busyElsewhere?: number | undefined;
  /** The size of what it made. */
  readonly outputBytes?: number | undefined;
}

/** Something to be timed. */
export interface Case {
  readonly name: string;
  readonly run: () => Promise<Sample>;
  /** In how many rounds it takes part, without the one that is dropped; in all if not given. For what takes minutes. */
  readonly rounds?: number | undefined;
}

/** A case that is work in this process; its processor time is that of the whole process meanwhile. */
export function timed(name: string, work: () => Promise<void>): Case {
  const run = async () => {
    const [start, before] = [performance.now(), process.cpuUsage()];
    await work();
    const { user, system } = process.cpuUsage(before);
    return { seconds: (performance.now() - start) / 1000, processorSeconds: (user + system) / 1e6 };
  };
  return { name, run };
}

/** What the rounds say about a case. */
export interface Result {
  readonly name: string;
  /** How many rounds were counted. */
  readonly rounds: number;
  readonly bestSeconds: number;
  readonly medianSeconds: number;
  /** The highest of all rounds. */
  readonly peakBytes: number | undefined;
  /** The lowest of all rounds: unlike the time, hardly changed by what else the machine does. */
  readonly processorSeconds: number | undefined;
  readonly medianProcessorSeconds: number | undefined;
  /** That of the best round. */
  readonly busyElsewhere: number | undefined;
  readonly outputBytes: number | undefined;
}

/**
 * Runs every case once a round, so that what disturbs the machine for a while disturbs all of them, and drops the
 * first round, which warms the page cache.
 */
export async function runRounds(cases: readonly Case[], rounds: number): Promise<readonly Result[]> {
  const samples = new Map<Case, Sample[]>(cases.map((each) => [each, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [each, taken] of samples) {
      if (each.rounds !== undefined && (round === 0 || round > each.rounds)) continue;
      const sample = await each.run();
      if (round > 0) taken.push(sample);
    }
  }
  return [...samples].map(([{ name }, taken]) => resultOf(name, taken));
}

/** How many times as long as `reference` a case takes at its best. */
export function ratioTo(reference: Result, { bestSeconds }: Result): number {
  return bestSeconds / reference.bestSeconds;
}

/** How many times the processor time of `reference` a case takes; undefined where one of the two is not known. */
export function cpuRatioTo(reference: Result, result: Result, of: "best" | "median" = "best"): number | undefined {
  const key = of === "best" ? "processorSeconds" : "medianProcessorSeconds";
  const [ours, theirs] = [result[key], reference[key]];
  return ours === undefined || theirs === undefined ? undefined : ours / theirs;
}

/** The middle of some numbers; of an even count the lower one of both middles. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? Number.NaN;
}

function resultOf(name: string, samples: readonly Sample[]): Result {
  const seconds = samples.map((sample) => sample.seconds);
  const bestSeconds = Math.min(...seconds);
  const processors = samples.flatMap(({ processorSeconds }) => processorSeconds ?? []);
  const peaks = samples.flatMap(({ peakBytes }) => peakBytes ?? []);
  return {
    name,
    rounds: samples.length,
    bestSeconds,
    medianSeconds: median(seconds),
    peakBytes: peaks.length === 0 ? undefined : Math.max(...peaks),
    busyElsewhere: samples.find((sample) => sample.seconds === bestSeconds)?.busyElsewhere,
    processorSeconds: processors.length === 0 ? undefined : Math.min(...processors),
    medianProcessorSeconds: processors.length === 0 ? undefined : median(processors),
    outputBytes: samples.at(-1)?.outputBytes,
  };
}
