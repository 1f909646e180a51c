/**
 * @template T
 * @typedef {object} LaneJob
 * @property {number} lanes how much of the machine it takes: a third of a lane is enough for what waits most of the time
 * @property {() => Promise<T>} run
 */

/** Shares of a lane do not add up exactly: three times 0.33 given back are a little less than what was taken. */
const roundingError = 1e-6;

/**
 * Does jobs side by side, each as soon as there is room for it, the first ones of the list first.
 *
 * @template T
 * @param {number} laneCount
 * @param {readonly LaneJob<T>[]} jobs
 * @returns {Promise<T[]>} in the order of the jobs
 */
export async function runInLanes(laneCount, jobs) {
  /** @type {T[]} */
  const results = new Array(jobs.length);
  const waiting = new Map(jobs.entries());
  /** @type {Set<Promise<void>>} */
  const running = new Set();
  let free = laneCount;
  while (waiting.size > 0) {
    const next = [...waiting].find(([, { lanes }]) => lanes <= free + roundingError || running.size === 0);
    if (next === undefined) {
      await Promise.race(running);
    } else {
      waiting.delete(next[0]);
      const done = start(...next).finally(() => running.delete(done));
      running.add(done);
    }
  }
  await Promise.all(running);
  return results;

  /**
   * @param {number} index
   * @param {LaneJob<T>} job
   */
  async function start(index, { lanes, run }) {
    free -= lanes;
    results[index] = await run();
    free += lanes;
  }
}
