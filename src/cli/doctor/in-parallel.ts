// Many jobs, a few at a time.

/** Results in the order of the jobs. The first failure fails all, once the jobs under way have ended. */
export async function inParallel<Job, Result>(
  jobs: readonly Job[],
  width: number,
  run: (job: Job) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = jobs.entries();
  const worker = async (): Promise<void> => {
    for (const [index, job] of queue) results[index] = await run(job);
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(width, jobs.length) }, worker));
  for (const end of ended) if (end.status === "rejected") throw end.reason;
  return results;
}
