/** Since when there is a recording, and whether it is whole. */
export class RecordingTime {
  #since = 0;
  #isOn = false;
  #hasGaps = false;

  /** 0 while nothing was recorded. */
  get since(): number {
    return this.#since;
  }

  /** Also while nothing is recorded now: then the gap has begun. */
  get hasGaps(): boolean {
    return this.#hasGaps;
  }

  set(isOn: boolean, now: number): void {
    this.#hasGaps ||= this.#since !== 0 && !isOn;
    this.#since = isOn && this.#since === 0 ? now : this.#since;
    this.#isOn = isOn;
  }

  /** What was recorded is gone. */
  clear(now: number): void {
    this.#since = this.#isOn ? now : 0;
    this.#hasGaps = false;
  }
}
