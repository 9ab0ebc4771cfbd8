/** What one run of a case took. */
export interface Sample {
  readonly seconds: number;
  /** The most memory that one of its processes held; undefined where this system does not tell. */
  readonly peakBytes?: number | undefined;
  /** The size of what it made. */
  readonly outputBytes?: number | undefined;
}

/** Something to be timed. */
export interface Case {
  readonly name: string;
  readonly run: () => Promise<Sample>;
}

/** What the rounds say about a case. */
export interface Result {
  readonly name: string;
  readonly bestSeconds: number;
  readonly medianSeconds: number;
  /** The highest of all rounds. */
  readonly peakBytes: number | undefined;
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

/** The middle of some numbers; of an even count the lower one of both middles. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)] ?? Number.NaN;
}

function resultOf(name: string, samples: readonly Sample[]): Result {
  const seconds = samples.map((sample) => sample.seconds);
  const peaks = samples.flatMap(({ peakBytes }) => peakBytes ?? []);
  return {
    name,
    bestSeconds: Math.min(...seconds),
    medianSeconds: median(seconds),
    peakBytes: peaks.length === 0 ? undefined : Math.max(...peaks),
    outputBytes: samples.at(-1)?.outputBytes,
  };
}
