import { setTimeout as sleep } from 'node:timers/promises';
import type { Workbench } from '../harness/workbench.ts';
import { allow, answerOf } from './questions.ts';
import { webviewByTitle } from './webviews.ts';

const answerMilliseconds = 8_000;

export interface AttentivePerson {
  /** Names of the questions that were answered. */
  readonly answered: readonly string[];
  stop(): Promise<void>;
}

export interface AllowingOptions {
  readonly role?: 'Reader' | 'Editor' | 'Runner';
  /** The first one that a question offers is pressed. */
  readonly buttons?: readonly string[];
}

/** A person who answers every question in the consent panel as it comes up. */
export function allowEverything(workbench: Workbench, options: AllowingOptions = {}): AttentivePerson {
  const { role = 'Reader', buttons = ['Allow for this session', 'Allow once'] } = options;
  const answered: string[] = [];
  const leaving = new AbortController();
  const watching = (async () => {
    while (!leaving.signal.aborted) {
      const name = await answerFirst(workbench, role, buttons).catch(() => undefined);
      if (name === undefined) {
        await sleep(100);
      } else {
        answered.push(name);
      }
    }
  })();
  return {
    answered,
    stop: async () => {
      leaving.abort();
      await watching;
    },
  };
}

async function answerFirst(workbench: Workbench, role: string, buttons: readonly string[]): Promise<string | undefined> {
  if (
    !(await workbench.page
      .getByRole('tab', { name: /Permission/ })
      .first()
      .isVisible())
  ) {
    return undefined;
  }
  const panel = await webviewByTitle(workbench.page, 'Permission', 2_000);
  // This very one: what waits for a card that goes away meanwhile must not press the button of the next.
  const next = panel.locator('[data-question]:not([data-answered])').first();
  const question = panel.locator(`[data-question="${(await next.getAttribute('data-question', { timeout: 1_000 })) ?? ''}"]`);
  const name = (await question.getAttribute('aria-label', { timeout: 1_000 })) ?? 'Permission:';
  const choice = question.getByRole('radio', { name: role });
  if ((await choice.count()) > 0) {
    await choice.check({ timeout: 2_000 });
  }
  for (const button of buttons) {
    if ((await answerOf(question, button).count()) > 0) {
      return await Promise.race([allow(question, button).then(() => name), patience()]);
    }
  }
  return undefined;
}

/** A card that was answered, or is gone, is waited for no longer: the next one may be there. */
async function patience(): Promise<undefined> {
  await sleep(answerMilliseconds);
}
