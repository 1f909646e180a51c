import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { assertAccessible } from '../support/page/accessibility.ts';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';

describe('A question about the terminal of a client', () => {
  let bare: BarePage;
  const card = (): Locator => bare.page.getByRole('group', { name: /^Permission:/ });
  const part = (name: RegExp): Locator => card().getByRole('region', { name });

  beforeEach(async () => {
    bare = await openBarePage(await sharedBrowser(), 'consent', { viewport: { width: 400, height: 900 } });
  });
  afterEach(() => bare.close());

  async function ask(what: object): Promise<void> {
    const client = { callsItself: 'helper', transport: 'http', credential: 'clientToken', credentialId: 'c1' };
    const detail = { kind: 'clientAct', ...client, tool: 'run_terminal_command', role: 'runner', what };
    const question = { askId: 'ask', detail, why: 'new', differences: [], choices: ['deny', 'allowOnce'] };
    await bare.post('consent/questions', { questions: [question] });
    await card().waitFor();
  }

  it('shows the folder of the terminal and each command that ran there before', async () => {
    const earlier = ['cd src', 'alias ls=rm'];
    await ask({ kind: 'command', commandLine: 'ls', cwd: '/demo/src', terminal: '/bin/bash', earlier, moreEarlier: 4 });
    assert.equal(await part(/^Command$/).innerText(), 'ls');
    assert.equal(await part(/^Folder$/).innerText(), '/demo/src');
    assert.equal(await part(/^Ran in this terminal before/).innerText(), '… 4 more before\n$ cd src\n$ alias ls=rm');
    await assertAccessible(card(), 'the question about a command');
  });

  it('shows nothing that ran before in a new terminal', async () => {
    await ask({ kind: 'command', commandLine: 'ls', cwd: '/demo', terminal: '/bin/bash' });
    assert.equal(await part(/^Ran in this terminal before/).count(), 0);
  });

  it('shows exactly which keys would be pressed, and for which command', async () => {
    await ask({ kind: 'input', text: 'y⏎\tes\u200B\n\u0003', commandLine: 'npm init' });
    assert.match(await card().innerText(), /A program that calls itself “helper” wants to type into a running command/);
    assert.equal(await part(/^Typed text/).innerText(), 'y⟨U+23CE⟩⇥es⟨U+200B⟩⏎\n⟨U+0003⟩');
    assert.equal(await part(/^Command that runs$/).innerText(), 'npm init');
    await assertAccessible(card(), 'the question about an input');
  });
});
