import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { PageName } from '../../src/views/pages/pageHtml.ts';
import { type BarePage, openBarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { callQuestion } from '../support/page/callQuestion.ts';
import { everyPart } from '../support/page/everyPart.ts';
import { emptyState } from '../support/page/longConversation.ts';
import { questionKinds } from '../support/page/questionKinds.ts';
import { argumentForm } from '../unit/schemaForms/support.ts';

type Role = Parameters<Page['getByRole']>[0];
type Names = Partial<Record<Role, readonly string[]>>;

const time = '2026-01-01T12:00:00.000Z';
const context = {
  used: 1_000,
  limit: 200_000,
  isCounted: true,
  sources: [],
  tools: { offered: 0, total: 0, leftOut: 0, tokens: 0, savedTokens: 0 },
  canCompact: false,
};
const call = {
  kind: 'toolCall',
  id: 'call',
  server: 'charts',
  tool: 'draw',
  state: 'waiting',
  arguments: '{}',
  result: [],
  resultBytes: 0,
};
const everyAnswer = ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace', 'allowAlways'];
const answer = (...parts: readonly object[]): object => ({ kind: 'assistant', id: 'a', state: 'streaming', parts });
const asked = (detail: unknown, choices: readonly string[]): object => ({ askId: 'ask', detail, why: 'new', differences: [], choices });
const field = { name: 'name', label: 'Name', description: '', isRequired: true, isNullable: false, type: 'text', format: 'plain' };

/** Outside clients of the pages, such as screen readers and tests of others, depend on these: a name that changes must fail here. */
describe('The names by which people who listen, and programs, find things', function () {
  this.timeout(60_000);
  let bare: BarePage;

  const open = async (name: PageName): Promise<Page> => {
    bare = await openBarePage(await sharedBrowser(), name, { viewport: { width: 720, height: 3_000 } });
    return bare.page;
  };
  afterEach(() => bare.close());

  /** Fails with every name that nothing of its role has. */
  async function has(place: Page | Locator, names: Names): Promise<void> {
    const missing = await Promise.all(
      Object.entries(names).flatMap(([role, all]) =>
        all.map(async (name) => ((await place.getByRole(role as Role, { name, exact: true }).count()) > 0 ? [] : [`${role} ${name}`])),
      ),
    );
    assert.deepEqual(missing.flat(), []);
  }

  it('in the chat, while it waits for a message and while it answers', async () => {
    const page = await open('chat');
    await bare.post('chat/state', { ...everyPart(), context, attached: { attachments: [{ id: 'one', kind: 'file', name: 'README.md' }] } });
    await page.getByRole('group', { name: 'Tool call: demo list_items', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).first().waitFor();
    // It is said for a moment only, which may be over once the click is known to have been made.
    const copied = page.getByRole('status').getByText('Copied', { exact: true }).first().waitFor({ state: 'attached' });
    await Promise.all([copied, page.getByRole('button', { name: 'Copy', exact: true }).first().click()]);
    await has(page, {
      textbox: ['Message'],
      button: ['Send', 'New conversation', 'Conversations', 'Attach', 'Tools', 'Model', 'Remove README.md', 'Copy answer', 'Retry'],
      log: ['Conversation'],
      article: ['Assistant', 'You'],
      group: ['Tool call: demo list_items', 'Thinking'],
      list: ['Attachments'],
      meter: ['Context'],
    });
    await has(page, { button: ['Edit message', 'Copy', 'Insert', 'Apply', 'Undo edits of this turn'] });
    assert.equal(await page.getByRole('button', { name: 'Model', exact: true }).innerText(), 'Claude');
    await bare.post('chat/state', { ...emptyState(), isRunning: true });
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('/');
    await page.getByRole('listbox', { name: 'Suggestions', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Conversations', exact: true }).click();
    const entries = [{ id: 'one', title: 'One', changedAt: Date.parse(time), messages: 2, state: 'kept' }];
    await bare.post('conversations/list', { search: '', entries, isCut: false, unreadable: [] });
    await page.getByRole('option', { name: /^One/ }).waitFor();
    await has(page, { listbox: ['Conversations'], searchbox: ['Search conversations'], button: ['Rename', 'Export', 'Delete'] });
  });

  it('in a question of each kind, and in its menu', async () => {
    const page = await open('chat');
    const card = page.getByRole('group', { name: /^Permission: / });
    const ask = async (question: object): Promise<void> => {
      await bare.post('chat/state', emptyState());
      await card.waitFor({ state: 'detached' });
      const items = [answer({ kind: 'question', id: 'question', question })];
      await bare.post('chat/state', { ...emptyState(), isRunning: true, items });
      await card.waitFor();
    };
    const askKind = (kind: string, more: object = {}): Promise<void> => {
      const [detail, choices] = questionKinds[kind] ?? [{}, []];
      return ask(asked({ ...detail, ...more }, choices));
    };
    const rules = [{ what: { kind: 'exactArguments' }, scopes: ['session'] }];
    const otherTools = [{ name: 'count', description: 'Counts.', claims: [], parameters: [] }];
    await ask(callQuestion({ sides: 6 }, { rules, otherTools }, { choices: everyAnswer }));
    await has(card, {
      button: ['Allow once', 'Allow for this session', 'Deny', 'More'],
      checkbox: ['All tools of this server'],
      group: ['What Duplex knows'],
    });
    await card.getByRole('button', { name: 'More', exact: true }).click();
    await has(card, { menuitem: ['Allow in this workspace', 'Always allow', 'Allow when…', 'Always deny'] });
    const fields = [{ name: 'command', value: 'npx', isDangerous: false }];
    const start = {
      kind: 'startServer',
      server: 'tickets',
      configuredIn: '',
      serverId: 'tickets',
      holdsIn: 'workspace',
      fields,
      disclosures: [],
    };
    await ask(asked(start, ['deny', 'allowSession', 'allow']));
    await has(card, { button: ['Allow for this session', 'Allow', 'Deny'] });
    await askKind('connectClient', { pairingCode: 'ABCD-EFGH' });
    await has(card, {
      radiogroup: ['Role'],
      radio: ['Reader', 'Editor', 'Runner'],
      textbox: ['Pairing code'],
      button: ['Allow for this session', 'Always allow', 'Deny', 'Always deny'],
    });
    await askKind('clientAct');
    await has(card, { button: ['Allow once', 'Raise role for this session', 'Deny'] });
    await askKind('sampling');
    await has(card, {
      textbox: ['System prompt', 'Messages'],
      radiogroup: ['Remember'],
      radio: ['Once', 'This session', 'This workspace'],
      button: ['Send request', 'Deny'],
    });
    await askKind('samplingResponse');
    await has(card, { textbox: ['Response'], button: ['Return response', 'Deny'] });
    await askKind('link');
    await has(card, { button: ['Open link', 'Decline', 'Cancel'] });
    await askKind('link', { request: { mode: 'form', fields: [field] } });
    await has(card, { button: ['Submit', 'Decline', 'Cancel'] });
  });

  it('in the cards of several calls, of an edit and of an app', async () => {
    const page = await open('chat');
    const calls = ['one', 'two'].map((askId) => ({
      ...{ ...call, id: askId, server: 'demo', tool: 'roll_dice' },
      question: callQuestion({ sides: 6 }, {}, { askId, group: 'a' }),
    }));
    const file = { path: 'src/new.ts', change: 'create', added: 1, removed: 0, diff: [{ kind: 'added', text: 'new' }] };
    const edit = { ...call, id: 'edit', review: { id: 'one', files: [file], isSeenInEditor: false } };
    const app = { ...call, state: 'done', app: { uri: 'ui://charts/draw', state: 'live', canBeLarge: true } };
    await bare.post('chat/state', { ...emptyState(), isRunning: true, items: [answer(...calls, edit, app)] });
    const together = page.getByRole('group', { name: 'Permission: 2 calls', exact: true });
    await together.waitFor();
    await has(together, { group: ['Permission: demo roll_dice'], button: ['Allow these 2', 'Allow once', 'Deny'] });
    await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
    await has(page, { button: ['Accept', 'Reject', 'Open diff'] });
    const frame = page.getByRole('group', { name: 'App: charts draw', exact: true });
    await has(frame, { button: ['Full screen', 'Close'] });
    await frame.getByRole('button', { name: 'Full screen', exact: true }).click();
    assert.deepEqual(await bare.nextSent('app/enlarge'), { partId: 'call' });
  });

  it('in Run Tool', async () => {
    const page = await open('runner');
    const form = argumentForm({ type: 'object', properties: { from: { type: 'string' } } });
    const key = { serverId: 'post', tool: 'send' };
    const about = { server: 'post', tool: 'send', description: '', claims: [], form, isKnown: true, arguments: '{"from": "there"}' };
    await bare.post('runner/tool', { key, ...about, state: 'ready' });
    const drawn = page.getByRole('form', { name: 'Run post send', exact: true });
    await drawn.waitFor();
    await has(drawn, { textbox: ['from'], tab: ['Form', 'JSON'], button: ['Run', 'Save preset'] });
    await drawn.getByRole('tab', { name: 'JSON', exact: true }).click();
    await has(drawn, { textbox: ['Arguments as JSON'] });
    await bare.post('runner/run', { kind: 'running' });
    await drawn.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await bare.post('runner/run', {
      kind: 'ended',
      ending: 'succeeded',
      arguments: '{}',
      elapsedMs: 3,
      items: [{ kind: 'text', text: 'sent' }],
    });
    const result = page.getByRole('region', { name: 'Result', exact: true });
    await result.getByText('sent').waitFor();
    await has(result, { button: ['Send to chat', 'Run again', 'Open in editor'] });
  });

  it('in the traffic', async () => {
    const page = await open('traffic');
    const about = {
      time: 1,
      side: 'server',
      peerId: 'demo',
      peer: 'demo',
      direction: 'sent',
      kind: 'request',
      method: 'ping',
      subject: '',
    };
    const row = { number: 1, ...about, size: 120, isSizeLeast: false, isCut: false, state: 'answered', durationMs: 12 };
    await bare.post('traffic/status', { isPaused: false, since: 1, hasGaps: false, isKept: false });
    await bare.post('traffic/rows', { first: 1, dropped: 0, rows: [row], matching: [] });
    await page.getByRole('row', { name: /ping/ }).click();
    await bare.post('traffic/detail', { number: 1, message: '{}', isCut: false, hasSecrets: false });
    await page.getByRole('region', { name: 'Message', exact: true }).waitFor();
    await has(page, { grid: ['Messages'], searchbox: ['Filter'], button: ['Pause', 'Clear', 'Export', 'Send again'] });
    await bare.post('traffic/status', { isPaused: true, since: 1, hasGaps: false, isKept: false });
    await page.getByRole('button', { name: 'Pause', exact: true, pressed: true }).waitFor();
  });

  it('in the permissions, in the audit log and in Browse Servers', async () => {
    const permissions = await open('permissions');
    const row = { id: 'a', who: 'Chat', what: 'call', answer: 'allow', where: 'Everywhere', isHere: true, since: time, subject: 'demo' };
    await bare.post('permissions/list', { rows: [row] });
    const table = permissions.getByRole('table', { name: 'Permissions', exact: true });
    await table.waitFor();
    await has(table.getByRole('row').nth(1), { button: ['Revoke'] });
    await bare.close();

    const audit = await open('audit');
    const status = { kind: 'good', text: 'The chain holds.' };
    await bare.post('audit/page', { status, rows: [], matching: 0, total: 0, bars: { hours: [], names: [] } });
    await audit.getByRole('table', { name: 'Audit log', exact: true }).waitFor();
    assert.equal(await audit.getByRole('status').innerText(), 'The chain holds.');
    await bare.close();

    const registry = await open('registry');
    const installed = [{ id: 'user/old', label: 'old', version: '1.0.0', newer: '1.2.0' }];
    const ways = [{ id: 'package:0', kind: 'npm', shown: 'notes@1.2.0' }];
    const about = { description: '', version: '1.2.0', updated: '', repository: '', website: '', isDeprecated: false, unreadable: 0 };
    const cards = [{ name: 'io.example/notes', title: 'Notes', ...about, ways, installed }];
    await bare.post('registry/page', { host: 'registry.example', search: '', state: { kind: 'listed' }, cards, hasMore: true });
    const list = registry.getByRole('list', { name: 'Servers', exact: true });
    await list.waitFor();
    await has(list, { button: ['Install', 'Update'] });
    await has(registry, { searchbox: ['Search servers'], button: ['Load more'] });
  });
});
