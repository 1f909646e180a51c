import { Emitter, type Event } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Clock } from '../../base/clock.ts';
import type { SettingReading } from '../../contract/settings/readSetting.ts';
import type { SettingProblem } from '../../contract/settings/settingProblems.ts';
import {
  concerns,
  covers,
  coversPaths,
  hidesPaths,
  isAboutPaths,
  nextChange,
  readPolicy,
  type PolicyClient,
  type PolicyRule,
  type PolicySubject,
  type ReadPolicy,
} from './policyRules.ts';

/** Says whether a client path, in any spelling, must look absent. */
export type HiddenPaths = (clientPath: string) => boolean;

/** What the policy says about a request; `undefined` if it says nothing. */
export type PolicyVerdict = 'deny' | 'ask' | undefined;

/** Reads the setting `duplex.server.policy`, which may be malformed. */
export interface PolicySource {
  read(): SettingReading<'duplex.server.policy'>;
  readonly onDidChange: Event<void>;
}

export interface AccessPolicyOptions {
  readonly source?: PolicySource | undefined;
  /** Returns every way to write the place that a client path means. */
  readonly spellings?: ((path: string) => readonly string[]) | undefined;
  readonly clock: Clock;
  /** The current time, for rules with hours and dates. */
  readonly today?: (() => Date) | undefined;
}

/** The longest time that a timer sleeps before it looks again. */
const maxSleepMs = 60 * 60_000;

/**
 * The rules of `duplex.server.policy`: what the person forbids, or wants to be asked about whatever they answered before. A policy
 * can only restrict.
 */
export class AccessPolicy implements Disposable {
  readonly #options: AccessPolicyOptions;
  readonly #owned = new DisposableStore();
  readonly #changed = this.#owned.add(new Emitter<void>());
  #policy: ReadPolicy;
  #hiding: readonly PolicyRule[] = [];
  /** The functions that `hiddenFrom` returns, by the rules they apply. */
  readonly #hidden = new Map<string, HiddenPaths>();
  #alarm: Disposable | undefined;

  /** Fires when the rules change, and when the time of day makes others apply. */
  readonly onDidChange = this.#changed.event;

  constructor(options: AccessPolicyOptions) {
    this.#options = options;
    this.#policy = this.#read();
    this.#setAlarm();
    const { source } = options;
    if (source !== undefined) {
      this.#owned.add(
        source.onDidChange(() => {
          this.#policy = this.#read();
          this.#setAlarm();
          this.#changed.fire();
        }),
      );
    }
  }

  /** What is wrong with the setting, if anything. */
  get problem(): SettingProblem | undefined {
    return this.#policy.problem;
  }

  get isEmpty(): boolean {
    return this.#policy.rules.length === 0 && this.#policy.problem === undefined;
  }

  /** What the policy says about a request; a rule that denies wins over one that asks. */
  verdict(subject: PolicySubject): PolicyVerdict {
    if (this.#isDeniedByMalformation(subject)) {
      return 'deny';
    }
    const now = this.#today();
    const spelled = { ...subject, paths: subject.paths.flatMap((path) => this.#spellings(path)) };
    const effects = this.#policy.rules.filter((rule) => covers(rule, spelled, now)).map((rule) => rule.effect);
    return effects.includes('deny') ? 'deny' : effects[0];
  }

  /** Whether a tool is denied whatever its arguments are. */
  hides(subject: PolicySubject): boolean {
    if (this.#isDeniedByMalformation(subject)) {
      return true;
    }
    const now = this.#today();
    return this.#policy.rules.some((rule) => rule.effect === 'deny' && !isAboutPaths(rule) && covers(rule, subject, now));
  }

  /**
   * Returns which paths are hidden from a client in all calls, or `undefined` if none are. It returns the same function as long as
   * the same rules apply.
   */
  hiddenFrom(who: PolicyClient): HiddenPaths | undefined {
    if (this.#hiding.length === 0) {
      return undefined;
    }
    const now = this.#today();
    const rules = this.#hiding.filter((rule) => concerns(rule, who, now));
    if (rules.length === 0) {
      return undefined;
    }
    const key = rules.map((rule) => this.#hiding.indexOf(rule)).join(' ');
    const hidden = this.#hidden.get(key) ?? ((path) => this.#isHidden(path, rules));
    this.#hidden.set(key, hidden);
    return hidden;
  }

  dispose(): void {
    this.#alarm?.dispose();
    this.#owned.dispose();
  }

  /** What another server would do is unknown, so it counts as acting. */
  #isDeniedByMalformation({ tool, server }: PolicySubject): boolean {
    return this.#policy.problem !== undefined && (tool?.acts === true || server !== undefined);
  }

  #isHidden(path: string, rules: readonly PolicyRule[]): boolean {
    const spelled = this.#spellings(path);
    return rules.some((rule) => coversPaths(rule, spelled));
  }

  #spellings(path: string): readonly string[] {
    return this.#options.spellings?.(path) ?? [path];
  }

  #read(): ReadPolicy {
    const { source } = this.#options;
    const policy: ReadPolicy = source === undefined ? { rules: [], problem: undefined } : readPolicy(source.read());
    this.#hiding = policy.rules.filter(hidesPaths);
    this.#hidden.clear();
    return policy;
  }

  #setAlarm(): void {
    this.#alarm?.dispose();
    const now = this.#today();
    const next = nextChange(this.#policy.rules, now);
    this.#alarm =
      next === undefined
        ? undefined
        : this.#options.clock.schedule(Math.min(next.getTime() - now.getTime(), maxSleepMs), () => {
            const isDue = this.#today().getTime() >= next.getTime();
            this.#setAlarm();
            if (isDue) {
              this.#changed.fire();
            }
          });
  }

  #today(): Date {
    return this.#options.today?.() ?? new Date();
  }
}
