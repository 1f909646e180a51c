import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { untilArmed } from '../ui/pages/questions.ts';

const item = (name: string, ...pieces: readonly string[]): object => ({ kind: 'text', name, pieces });
const question = (detail: object, more: object = {}): object => ({
  askId: 'ask',
  detail: {
    kind: 'sendContent',
    destination: { kind: 'model', name: 'Claude', address: 'https://model.example' },
    bytes: 100,
    secrets: [],
    invisible: 0,
    ...detail,
  },
  why: 'new',
  differences: [],
  choices: ['deny', 'allowOnce', 'allowWorkspace'],
  ...more,
});

describe('The question about a skill', function () {
  this.timeout(60_000);
  let bare: BarePage;
  const card = (): Locator => bare.page.getByRole('group', { name: /^Permission:/ });

  beforeEach(async () => {
    bare = await openBarePage(await sharedBrowser(), 'consent', { viewport: { width: 400, height: 700 } });
  });
  afterEach(() => bare.close());

  it('shows every file of it unfolded, and is not armed before its end was in view', async () => {
    const long = Array.from({ length: 120 }, (_, line) => `Step ${line}.`).join('\n');
    const detail = {
      server: 'shop',
      source: { kind: 'skill', name: 'pay', place: 'skill://shop/pay/SKILL.md' },
      items: [item('SKILL.md', long), item('forms/FORM.md', 'The last line of the last file.')],
    };
    await bare.post('consent/questions', { questions: [question(detail)] });
    await card().getByText('Give Claude the skill “pay” of the server “shop”?').first().waitFor();
    await card().getByText('skill://shop/pay/SKILL.md').first().waitFor();
    const files = card().getByText('SKILL.md (1.1 KB)');
    await files.waitFor();
    assert.match(await files.innerText(), /forms\/FORM\.md \(31 B\)/, 'all files are named before the text of the first');
    assert.equal(await card().getByRole('button', { name: 'Allow once', exact: true, disabled: false }).count(), 0);
    await card().getByText('The last line of the last file.').scrollIntoViewIfNeeded();
    assert.match(await card().innerText(), /forms\/FORM\.md/);
  });

  it('shows what changed in which file, where it was allowed before', async () => {
    const detail = {
      server: '',
      source: { kind: 'skill', name: 'ship', place: '.claude/skills/ship' },
      items: [item('SKILL.md', 'Ship it!')],
    };
    const differences = [
      { field: 'SKILL.md', before: 'Ship it.', after: 'Ship it!' },
      { field: 'run.sh', after: 'sha256:0123456789ab' },
    ];
    await bare.post('consent/questions', { questions: [question(detail, { why: 'changed', differences })] });
    await card().getByText('Give Claude the skill “ship” of this workspace?').first().waitFor();
    await card().getByText('Files of it have changed since you last allowed it.').waitFor();
    await card().locator('.difference, .facts, dl').getByText('run.sh').first().waitFor();
  });

  it('asks about all skills of a workspace at once, by name and description', async () => {
    const detail = {
      server: '',
      source: { kind: 'workspaceSkills', name: '2' },
      items: [item('.claude/skills/ship', 'How to ship.'), item('.github/skills/test', 'How to test.')],
    };
    await bare.post('consent/questions', { questions: [question(detail)] });
    await card().getByText('Tell Claude of the skills in this workspace? There are 2.').first().waitFor();
    assert.match(await card().innerText(), /\.claude\/skills\/ship[^]*How to ship\.[^]*\.github\/skills\/test[^]*How to test\./);
    await untilArmed(card(), 'Allow once');
    await card().getByRole('button', { name: 'Allow once', exact: true }).click();
    assert.ok(await bare.nextSent('consent/answer'));
  });
});
