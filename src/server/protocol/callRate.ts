const bucketMs = 5_000;
const bucketsPerMinute = 12;

/** How many calls came within the last minute, to a few seconds: no call is kept, only counts. */
export class CallRate {
  readonly #counts = new Array<number>(bucketsPerMinute).fill(0);
  #newest = 0;

  count(now: number): void {
    this.#moveTo(now);
    const slot = this.#newest % bucketsPerMinute;
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1;
  }

  perMinute(now: number): number {
    this.#moveTo(now);
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  #moveTo(now: number): void {
    const bucket = Math.floor(now / bucketMs);
    for (let next = Math.max(this.#newest + 1, bucket - bucketsPerMinute + 1); next <= bucket; next += 1) {
      this.#counts[next % bucketsPerMinute] = 0;
    }
    this.#newest = Math.max(this.#newest, bucket);
  }
}
