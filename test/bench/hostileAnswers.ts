/** How long answers that were written to be slow hold up the chat's page. In a plain browser, with the page's own files. */
import type { Browser } from 'playwright-core';
import type { HostileAnswer } from '../fixtures/hostileAnswers.ts';
import { openBarePage } from '../support/page/barePage.ts';
import { emptyState } from '../support/page/longConversation.ts';
import { measureLoad } from '../support/page/pageLoad.ts';

const maxWaitMs = 120_000;

/** The longest task of a page that opens these answers one after the other, each as a conversation, until each is drawn. */
export async function measureHostileAnswers(browser: Browser, answers: readonly HostileAnswer[]): Promise<number> {
  const bare = await openBarePage(browser, 'chat', { viewport: { width: 420, height: 800 } });
  bare.page.setDefaultTimeout(maxWaitMs);
  try {
    let longest = 0;
    for (const [index, { text }] of answers.entries()) {
      const parts = [{ kind: 'text', id: 'text', text }];
      const items = [{ kind: 'assistant', id: `answer${index}`, state: 'done', parts }];
      const post = await bare.prepare('chat/state', { ...emptyState(), conversationId: `hostile${index}`, items });
      const { maxTaskMs } = await measureLoad(browser, bare.page, async () => {
        await post();
        await bare.nextSent('chat/drawn');
      });
      longest = Math.max(longest, maxTaskMs);
    }
    return longest;
  } finally {
    await bare.close();
  }
}
