/**
 * Does jobs side by side, at most so many at a time, begun in their order.
 *
 * @template T
 * @param {number} laneCount
 * @param {readonly (() => Promise<T>)[]} jobs
 * @returns {Promise<T[]>} in the order of the jobs
 */
export async function runInLanes(laneCount, jobs) {
  /** @type {T[]} */
  const results = new Array(jobs.length);
  const waiting = jobs.entries();
  const lane = async () => {
    for (const [index, job] of waiting) {
      results[index] = await job();
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(laneCount, jobs.length)) }, lane));
  return results;
}
