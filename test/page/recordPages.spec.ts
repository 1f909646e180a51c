import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import type { AuditRow } from '../../src/contract/pages/auditMessages.ts';
import type { PermissionRow } from '../../src/contract/pages/permissionMessages.ts';
import { assertAccessible } from '../support/page/accessibility.ts';
import { brokenWords } from '../support/page/brokenWords.ts';
import { openBarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { outFolder } from '../support/run/repository.mjs';

const time = '2026-01-01T12:00:00.000Z';

function auditRow(line: number, what: string, more: Partial<AuditRow> = {}): AuditRow {
  const whole = JSON.stringify({ action: what.startsWith('Start') ? 'startServer' : 'callTool' }, undefined, 1);
  return {
    place: `audit.jsonl:${line}`,
    time,
    who: 'The chat',
    peer: 'demo',
    what,
    outcome: 'succeeded',
    decidedBy: 'person',
    durationMs: 12,
    whole,
    ...more,
  };
}

/** On how many lines the text of an element stands. */
function linesOf(place: Locator): Promise<number> {
  return place.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  });
}

function permission(id: string, what: string, subject: string): PermissionRow {
  return { id, who: 'Everybody', what, answer: 'allow', where: 'Everywhere', isHere: true, since: time, subject };
}

describe('The page of the audit log', () => {
  it('is filtered by what was done, opens a line whole, and has nothing for axe-core', async () => {
    const bare = await openBarePage(await sharedBrowser(), 'audit');
    const rows = [auditRow(2, 'Call roll_dice'), auditRow(1, 'Start the server “demo”', { outcome: 'allowed' })];
    const status = { kind: 'good', text: 'The chain holds.' };
    const bars = { hours: [{ start: time, counts: [2] }], names: ['demo'] };
    await bare.post('audit/page', { status, rows, matching: 2, total: 2, bars });
    await bare.page.getByRole('status').filter({ hasText: 'The chain holds' }).waitFor();
    const table = bare.page.getByRole('table', { name: 'Audit log' });
    const row = (text: string): ReturnType<typeof table.getByRole> => table.getByRole('row').filter({ hasText: text });
    await row('Call roll_dice').filter({ hasText: 'Succeeded' }).waitFor();
    await assertAccessible(bare.page.locator('body'), 'the audit log');
    await bare.page.getByRole('searchbox', { name: 'Server' }).fill('demo');
    await bare.page.waitForFunction(() => {
      const { sentToHost } = globalThis as { sentToHost?: readonly { readonly name: string; readonly body: unknown }[] };
      return sentToHost?.some(({ name, body }) => name === 'audit/show' && JSON.stringify(body).includes('"server":"demo"'));
    });
    await bare.page.getByRole('searchbox', { name: 'Who' }).fill('claude');
    await bare.page.waitForFunction(() => {
      const { sentToHost } = globalThis as { sentToHost?: readonly { readonly name: string; readonly body: unknown }[] };
      return sentToHost?.some(({ name, body }) => name === 'audit/show' && /"who":"claude","server":"demo"/.test(JSON.stringify(body)));
    });
    await bare.page.getByRole('searchbox', { name: 'Who' }).fill('');
    await bare.page.getByRole('searchbox', { name: 'What' }).fill('start');
    await bare.page.waitForFunction(() => {
      const { sentToHost } = globalThis as { sentToHost?: readonly { readonly name: string; readonly body: unknown }[] };
      return sentToHost?.some(({ name, body }) => name === 'audit/show' && JSON.stringify(body).includes('"what":"start"'));
    });
    await bare.post('audit/page', { status, rows: rows.slice(1), matching: 1, total: 2, bars });
    await row('Call roll_dice').waitFor({ state: 'detached' });
    await row('Start the server').getByRole('button').click();
    await table.getByText('"action": "startServer"').waitFor();
    await bare.close();
  });

  it('has the same filter when it is shown again, and tells the host so', async () => {
    const bare = await openBarePage(await sharedBrowser(), 'audit');
    const nothing = { status: { kind: 'good', text: '' }, rows: [], matching: 0, total: 0, bars: { hours: [], names: [] } };
    await bare.post('audit/page', nothing);
    await bare.page.getByRole('searchbox', { name: 'What' }).fill('start');
    await bare.page.getByRole('combobox', { name: 'Outcome' }).selectOption('denied');
    await bare.reload();
    const filter = { who: '', server: '', what: 'start', outcome: 'denied', hours: 0 };
    assert.deepEqual((await bare.sent()).map(({ name, body }) => [name, body]).slice(1), [['audit/show', { filter, count: 200 }]]);
    await bare.post('audit/page', nothing);
    assert.equal(await bare.page.getByRole('searchbox', { name: 'What' }).inputValue(), 'start');
    assert.equal(await bare.page.getByRole('combobox', { name: 'Outcome' }).inputValue(), 'denied');
    await bare.close();
  });

  for (const width of [180, 220, 300, 420, 720]) {
    it(`breaks no word at ${width} px`, async () => {
      const bare = await openBarePage(await sharedBrowser(), 'audit', { viewport: { width, height: 700 } });
      const rows = [
        auditRow(3, 'Call get_document_symbols', { peer: 'filesystem-of-the-company', decidedBy: 'remembered', durationMs: 123_456 }),
        auditRow(2, 'Start the server “demo”', { who: 'Client window-1a2b3c4d (“Claude Code 2.1”)', outcome: 'cancelled' }),
        auditRow(1, 'Connect', { who: 'client-2a99c818', peer: 'Claude Code' }),
      ];
      const bars = { hours: [{ start: time, counts: [1, 1] }], names: ['filesystem-of-the-company', 'demo'] };
      await bare.post('audit/page', { status: { kind: 'good', text: 'The chain holds.' }, rows, matching: 3, total: 3, bars });
      await bare.page.getByRole('table', { name: 'Audit log' }).getByText('Claude Code 2.1').waitFor();
      await bare.page.screenshot({ path: path.join(outFolder, 'looks', `audit-${width}.png`) });
      assert.deepEqual(await brokenWords(bare.page, 'body'), []);
      for (const id of ['window-1a2b3c4d', 'client-2a99c818']) {
        assert.equal(await linesOf(bare.page.getByText(id, { exact: true })), 1, id);
      }
      await bare.close();
    });
  }
});

describe('The page of the permissions', () => {
  it('breaks no word and no date, also where it is narrow', async () => {
    const bare = await openBarePage(await sharedBrowser(), 'permissions', { viewport: { width: 300, height: 700 } });
    await bare.post('permissions/list', { rows: [permission('a', 'call get_document_symbols of “filesystem-of-the-company”', 'demo')] });
    await bare.page.getByText('Everywhere').waitFor();
    await bare.page.screenshot({ path: path.join(outFolder, 'looks', 'permissions-300.png') });
    assert.deepEqual(await brokenWords(bare.page, 'body'), []);
    const dates = await bare.page.locator('.is-date').all();
    assert.deepEqual(await Promise.all(dates.map((date) => linesOf(date))), [1, 1]);
    await bare.close();
  });

  it('shows those of one server, and sends which one is taken back', async () => {
    const bare = await openBarePage(await sharedBrowser(), 'permissions');
    const rows = [permission('a', 'start the server “demo”', 'demo'), permission('b', 'start the server “post”', 'post')];
    await bare.post('permissions/list', { rows });
    const table = bare.page.getByRole('table', { name: 'Permissions' });
    const row = (text: string): ReturnType<typeof table.getByRole> => table.getByRole('row').filter({ hasText: text });
    await row('“post”').filter({ hasText: 'Everywhere' }).waitFor();
    await assertAccessible(bare.page.locator('body'), 'the permissions');
    await bare.page.getByRole('combobox', { name: 'Server or client' }).selectOption('demo');
    await row('“post”').waitFor({ state: 'detached' });
    await row('“demo”').getByRole('button', { name: 'Revoke' }).click();
    assert.deepEqual(await bare.nextSent('permissions/revoke'), { ids: ['a'] });
    await bare.post('permissions/list', { rows: [] });
    await bare.page.getByText('Nothing is remembered.').waitFor();
    await bare.close();
  });
});
