import type { Log } from '../base/log.ts';
import type { SettingReading } from '../contract/readSetting.ts';
import { describeProblem } from '../contract/settingProblems.ts';
import type { IgnorableSettingName, SettingValue } from '../contract/settings.ts';

/** Says in the log what of the settings does not count, and why: again only when it is something else. */
export class IgnoredSettings {
  readonly #log: Log;
  readonly #said = new Map<IgnorableSettingName, string>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** What counts of the setting. */
  usable<N extends IgnorableSettingName>(name: N, reading: SettingReading<N>): SettingValue<N> {
    if (reading.kind === 'valid') {
      this.#said.delete(name);
      return reading.value;
    }
    const sentence = reading.problems.map((problem) => `${describeProblem(name, problem)}; it is ignored.`).join(' ');
    if (this.#said.get(name) !== sentence) {
      this.#said.set(name, sentence); // first: the log itself asks for its level here
      this.#log.warn(sentence);
    }
    return reading.rest as SettingValue<N>; // the compiler cannot tell that N is none of those without a rest
  }
}
