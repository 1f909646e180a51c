import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Browser } from 'playwright-core';
import type { ToolCallPart } from '../../src/contract/chat/chatState.ts';
import { type BarePage, openBarePage } from '../support/page/barePage.ts';
import { brokenWords } from '../support/page/brokenWords.ts';
import { everyPart } from '../support/page/everyPart.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { emptyState } from '../support/page/longConversation.ts';
import { outFolder } from '../support/run/repository.mjs';

const widths = [180, 220, 300, 420, 720];

function call(id: string, more: Partial<ToolCallPart>): ToolCallPart {
  return { kind: 'toolCall', id, server: 'editor', tool: id, state: 'done', arguments: '{}', result: [], resultBytes: 90_000, ...more };
}

const parts: readonly ToolCallPart[] = [
  call('read_file', { about: 'a.ts', facts: [{ kind: 'count', of: 'lines', count: 12 }], elapsedMs: 340 }),
  call('get_document_symbols', {
    about: 'packages/storefront/src/components/checkout/shippingAddress.ts',
    facts: [{ kind: 'count', of: 'symbols', count: 31 }],
    elapsedMs: 61_000,
  }),
  call('get_diagnostics', { facts: [{ kind: 'count', of: 'errors', count: 2 }], elapsedMs: 20 }),
  call('run_terminal_command', { about: 'npm run build --workspaces', facts: [{ kind: 'exitCode', code: 1 }], elapsedMs: 12_000 }),
  call('directory_tree_with_sizes', {
    server: 'filesystem-of-the-company',
    arguments: '{"depth": 3}',
    state: 'failed',
    error: 'It said no.',
  }),
];

describe('The cards of tool calls', () => {
  let browser: Browser;
  let bare: BarePage | undefined;
  before(async () => {
    browser = await sharedBrowser();
  });
  afterEach(async () => {
    await bare?.close();
    bare = undefined;
  });

  const open = async (width: number): Promise<BarePage> => {
    bare = await openBarePage(browser, 'chat', { viewport: { width, height: 700 } });
    await bare.post('chat/state', {
      ...emptyState(),
      items: [
        { kind: 'user', id: 'u', text: 'What is wrong?' },
        { kind: 'assistant', id: 'a', state: 'done', parts },
      ],
    });
    await bare.nextSent('chat/drawn');
    return bare;
  };

  it('say what was done and what came of it, not how many bytes it took', async () => {
    const { page } = await open(420);
    const line = (tool: string): Promise<string> =>
      page
        .getByRole('group', { name: `Tool call: editor ${tool}` })
        .getByRole('button')
        .first()
        .innerText();
    const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();
    assert.deepEqual(
      [flat(await line('read_file')), flat(await line('get_diagnostics'))],
      ['Done: editor read_file a.ts · 12 lines 340 ms', 'Done: editor get_diagnostics · 2 errors 20 ms'],
    );
  });

  it('of a server that crashed show its last words, and lead to its log', async () => {
    const crashed = call('echo', { server: 'demo', state: 'failed', error: 'The server ended.', lastWords: ['Error: no key', 'Bye'] });
    bare = await openBarePage(browser, 'chat', { viewport: { width: 300, height: 700 } });
    const item = { kind: 'assistant', id: 'a', state: 'done', parts: [crashed] };
    await bare.post('chat/state', { ...emptyState(), items: [{ kind: 'user', id: 'u', text: 'Hi' }, item] });
    const card = bare.page.getByRole('group', { name: 'Tool call: demo echo' });
    await card.getByText('Error: no key').waitFor();
    await card.getByRole('button', { name: 'Show log' }).click();
    assert.deepEqual(await bare.nextSent('call/showLog'), { partId: 'echo' });
  });

  for (const width of widths) {
    it(`nor does any other part of the chat break a word at ${width} px (release)`, async () => {
      bare = await openBarePage(browser, 'chat', { viewport: { width, height: 900 } });
      await bare.post('chat/state', everyPart());
      await bare.nextSent('chat/drawn');
      await bare.page.screenshot({ path: path.join(outFolder, 'looks', `every-part-${width}.png`) });
      assert.deepEqual(await brokenWords(bare.page, '.chat'), []);
      const edited = bare.page.getByRole('group', { name: '3 files changed' }).locator('.path-name');
      assert.deepEqual(await edited.evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length), 0);
    });

    it(`at ${width} px break no word, cut no tool's name, and keep the name of a file`, async () => {
      const { page } = await open(width);
      await page.screenshot({ path: path.join(outFolder, 'looks', `tool-cards-${width}.png`) });
      assert.deepEqual(await brokenWords(page, '.call, .user-text, .composer'), []);
      const cut = await page
        .locator('.call-tool, .path-name, .call-facts, .call-meta')
        .evaluateAll((all) =>
          all
            .filter(
              (each) =>
                (each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1) || each.getBoundingClientRect().right > innerWidth,
            )
            .map(({ textContent }) => textContent),
        );
      // Where there is no room for it in a line of its own, the end of a long command or name is cut.
      const mayBeCut = [...(width < 300 ? ['npm run build --workspaces'] : []), ...(width < 220 ? ['shippingAddress.ts'] : [])];
      assert.deepEqual(
        cut.filter((text) => !mayBeCut.includes(text)),
        [],
      );
      const overflow = await page.getByRole('log').evaluate((log) => log.scrollWidth - log.clientWidth);
      assert.equal(overflow, 0);
    });
  }
});
