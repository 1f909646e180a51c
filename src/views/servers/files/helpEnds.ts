import * as vscode from 'vscode';
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { ErrorReporter } from '../../errorReporter.ts';

export interface HelpEndsOptions {
  /** Starts the language server again, when the person wants it. */
  start(): Promise<void>;
  readonly reporter: Pick<ErrorReporter, 'offer'>;
  readonly log: Log;
  readonly clock?: Clock | undefined;
}

/** A language server that cannot live is left alone: so often it is started again within this time. */
const maxRestarts = 3;
const withinMinutes = 10;

/** Decides whether the language server of configuration files is started again after its end, and asks the person when it ends too often. */
export class HelpEnds {
  readonly #options: HelpEndsOptions;
  #ends: readonly number[] = [];

  constructor(options: HelpEndsOptions) {
    this.#options = options;
  }

  /** Notes an end. True when it is to be started again at once. */
  note(): boolean {
    const now = (this.#options.clock ?? systemClock).now();
    this.#ends = [...this.#ends.filter((at) => now - at < withinMinutes * 60_000), now];
    const isRestarted = this.#ends.length <= maxRestarts;
    this.#options.log.warn(`It ended${isRestarted ? ' and is started again.' : ' too often.'}`);
    if (!isRestarted) {
      void this.#offer(this.#ends.length);
      this.#ends = [];
    }
    return isRestarted;
  }

  async #offer(times: number): Promise<void> {
    const { reporter, log } = this.#options;
    const sentence = vscode.l10n.t(
      'The help in configuration files ended {0} times within {1} minutes and is off now, until you start it again or reload the window.',
      times,
      withinMinutes,
    );
    if (await reporter.offer(sentence, vscode.l10n.t('Start Again'))) {
      await this.#options.start().catch((error: unknown) => log.error('It did not start.', error));
    }
  }
}
