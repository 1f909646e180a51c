/** How the chat's page bears a long conversation and a quick model. In a plain browser, with the page's own files. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { answerText, emptyState, longConversation } from '../support/page/longConversation.ts';
import { measureLoad, type PageLoad } from '../support/page/pageLoad.ts';

const maxWaitMs = 60_000;

export interface LongConversation {
  readonly messages: number;
  readonly firstDrawnMs: number;
  readonly allDrawnMs: number;
  readonly opening: PageLoad;
  readonly scrolling: PageLoad;
}

export async function measureLongConversation(browser: Browser, messages: number): Promise<LongConversation> {
  const bare = await open(browser);
  try {
    const { page } = bare;
    const drawn = (): Promise<number> => page.locator('article').count();
    let [firstDrawnMs, allDrawnMs] = [0, 0];
    const post = await bare.prepare('chat/state', longConversation(messages));
    const opening = await measureLoad(browser, page, async () => {
      const since = performance.now();
      await post();
      await page.locator('article').last().waitFor({ timeout: maxWaitMs });
      firstDrawnMs = performance.now() - since;
      while ((await drawn()) < messages && performance.now() - since < maxWaitMs) {
        await pause(500);
      }
      allDrawnMs = performance.now() - since;
    });
    const scrolling = await measureLoad(browser, page, () => scrollThrough(bare));
    return { messages: await drawn(), firstDrawnMs, allDrawnMs, opening, scrolling };
  } finally {
    await bare.close();
  }
}

/** As a person with a wheel: up through a part of it, to its beginning, and back to the end. */
async function scrollThrough({ page }: BarePage): Promise<void> {
  const scrollTo = `(share) => { const log = document.querySelector('[role=log]'); log.scrollTop = log.scrollHeight * share; }`;
  for (const share of [0.99, 0.98, 0.97, 0.9, 0.75, 0.5, 0.25, 0.1, 0.01, 0, 0.5, 1]) {
    await page.evaluate(`(${scrollTo})(${share})`);
    await pause(60);
  }
}

export interface Streaming extends PageLoad {
  readonly tokens: number;
  readonly perSecond: number;
}

/** As many tokens a second as asked for, in batches as the extension host sends them. */
export async function measureStreaming(browser: Browser, tokens: number, perSecond: number): Promise<Streaming> {
  const bare = await open(browser);
  try {
    const itemId = 'answer';
    const item = { kind: 'assistant', id: itemId, state: 'streaming', parts: [{ kind: 'text', id: 'text', text: '' }] };
    await bare.post('chat/state', { ...longConversation(40), isRunning: true });
    await bare.post('chat/item', { conversationId: emptyState().conversationId, item });
    await bare.page.locator('article').nth(40).waitFor();
    const pieces = tokensOf(answerText, tokens);
    const load = await measureLoad(browser, bare.page, () => stream(bare, pieces, perSecond));
    return { ...load, tokens, perSecond };
  } finally {
    await bare.close();
  }
}

export interface ShownApps {
  /** From the page getting the app until the app has drawn, for each in turn. */
  readonly drawnMs: readonly number[];
  /** What the page's memory has grown by with all of them, in bytes. */
  readonly bytes: number;
}

const app = `<!DOCTYPE html><p>drawn</p><script>
  requestAnimationFrame(() => setTimeout(() => parent.postMessage({ jsonrpc: '2.0', method: 'drawn' }, '*'), 0));
</script>`;
const appPolicy = `default-src 'none'; script-src 'unsafe-inline'; frame-src 'none'`;

/** Apps on as many cards of calls, shown one after the other and then all there. */
export async function measureApps(browser: Browser, count: number): Promise<ShownApps> {
  const bare = await open(browser);
  try {
    const parts = Array.from({ length: count }, (_, index) => ({
      ...{ kind: 'toolCall', id: `p${index}`, server: 's', tool: 't', state: 'done', arguments: '{}', result: [], resultBytes: 0 },
      app: { uri: 'ui://s/t', state: 'live' },
    }));
    const before = await heapOf(bare);
    await bare.post('chat/state', { ...emptyState(), items: [{ kind: 'assistant', id: 'a', state: 'done', parts }] });
    const drawnMs: number[] = [];
    for (const { id } of parts) {
      await bare.nextSent('app/mounted');
      const post = await bare.prepare('app/frame', { partId: id, html: app, policy: appPolicy });
      // A browser draws nothing in a frame that is out of view.
      await bare.page.locator('.app-frame').nth(drawnMs.length).scrollIntoViewIfNeeded();
      const since = performance.now();
      await post();
      await bare.nextSent('app/said');
      drawnMs.push(performance.now() - since);
    }
    return { drawnMs, bytes: (await heapOf(bare)) - before };
  } finally {
    await bare.close();
  }
}

async function heapOf({ page }: BarePage): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

const batchMs = 50;

async function stream(bare: BarePage, pieces: readonly string[], perSecond: number): Promise<void> {
  const since = performance.now();
  for (let sent = 0; sent < pieces.length;) {
    const due = Math.min(pieces.length, Math.ceil(((performance.now() - since) / 1000) * perSecond));
    if (due > sent) {
      const text = pieces.slice(sent, due).join('');
      await bare.post('chat/text', { conversationId: emptyState().conversationId, itemId: 'answer', partId: 'text', text });
      sent = due;
    }
    await pause(batchMs);
  }
}

/** About four characters each, as a model's are. */
function tokensOf(text: string, count: number): string[] {
  const all = text.match(/[\s\S]{1,4}/g) ?? [];
  return Array.from(
    { length: count },
    (_, index) => (all[index % all.length] ?? '') + (index % all.length === all.length - 1 ? '\n\n' : ''),
  );
}

async function open(browser: Browser): Promise<BarePage> {
  const bare = await openBarePage(browser, 'chat', { viewport: { width: 420, height: 800 } });
  await bare.post('chat/state', emptyState());
  return bare;
}
