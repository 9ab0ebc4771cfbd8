/** Does all jobs, so many at a time, each begun in its order; answers what they answered, in that order. */
export async function inLanes<Job, Result>(
  lanes: number,
  jobs: readonly Job[],
  work: (job: Job) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = jobs.entries();
  const lane = async () => {
    for (const [index, job] of queue) results[index] = await work(job);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
