import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { AnthropicServer } from '../../fixtures/anthropic/anthropicServer.ts';
import { say, type ScriptedTurn } from '../../fixtures/anthropic/turns.ts';
import { outFolder, repositoryRoot } from '../../support/run/repository.mjs';
import { assertAccessible } from '../../support/page/accessibility.ts';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { allow } from '../pages/questions.ts';

const server = path.join(repositoryRoot, 'test/fixtures/servers/scriptedServer.mjs');
const use = (name: string, input: Record<string, string | number> = {}): ScriptedTurn => ({
  kind: 'answer',
  blocks: [{ kind: 'toolUse', name, input }],
});

/** As the theme picker names them, and what VS Code then says of itself to a page. */
const themes: readonly [theme: string, bodyClass: string][] = [
  ['Dark Modern', 'vscode-dark'],
  ['Dark High Contrast', 'vscode-high-contrast'],
  ['Light Modern', 'vscode-light'],
];

describe('The room of a request', () => {
  let api: AnthropicServer;
  let chat: Chat;
  before(async () => {
    api = await AnthropicServer.start();
  });
  after(() => api.close());
  const workbench = useWorkbench({
    version: 'ceiling',
    workspace: 'plain',
    viewport: { width: 1280, height: 900 },
    get settings() {
      return {
        'duplex.anthropic.baseUrl': api.url,
        'duplex.mcpServers': { many: { command: 'node', args: [server, 'manyTools'] } },
      };
    },
    get env() {
      return { ANTHROPIC_API_KEY: api.apiKey };
    },
  });
  const picture = (name: string): Promise<void> => workbench().screenshot(path.join(outFolder, 'looks', `budget-${name}.png`));
  const panel = (name: string): Locator => chat.frame.getByRole('region', { name });
  const contextButton = (): Locator => chat.frame.getByRole('button', { name: /^Context details/ });
  const ask = async (text: string): Promise<void> => {
    const before = await chat.answers.count();
    await chat.ask(text);
    await chat.answers.nth(before).waitFor();
  };
  const toolsOf = (request: number): readonly string[] => (api.messageBodies.at(request)?.tools ?? []).map(({ name }) => name);

  before(async () => {
    await workbench().openView('Duplex');
    await workbench().views.rows('MCP Servers').filter({ hasText: 'needs permission' }).waitFor();
    chat = await Chat.open(workbench());
  });

  it('is for 300 tools too little: they are found by search, called then, and the tokens saved are shown', async () => {
    api.script([use('find_tools', { query: 'thing 217' }), use('many__thing_217'), say('It is done.')]);
    await ask('@many Do thing 217.');
    await allow(chat.frame.getByRole('group', { name: /^Permission: Start the server “many”/ }), 'Allow');
    await chat.toolCall('Duplex', 'find_tools').waitFor();
    await allow(chat.toolCall('many', 'thing_217'), 'Allow once');
    await chat.answers.last().getByText('It is done.').waitFor();
    await chat.untilIdle();
    assert.ok(toolsOf(-3).includes('find_tools') && !toolsOf(-3).some((name) => name.startsWith('many__thing')));
    assert.ok(toolsOf(-1).includes('many__thing_217') && toolsOf(-1).length < 100);
    await contextButton().click();
    await panel('What fills the context')
      .getByText(/the model finds the others by search\. That saves \d+k tokens/)
      .waitFor();
    await picture('context');
    await chat.frame.getByRole('meter', { name: 'Context' }).waitFor();
    await panel('What fills the context').press('Escape');
    await panel('What fills the context').waitFor({ state: 'detached' });
  });

  it('is what the person makes of it: a tool is pinned, and a server left out', async () => {
    await chat.frame.getByRole('button', { name: 'Tools', exact: true }).click();
    const picker = panel('Choose tools');
    await picker.getByRole('searchbox', { name: 'Search tools' }).fill('thing_11');
    await picker.getByRole('button', { name: 'Pin thing_11', exact: true }).click();
    await picker.getByRole('button', { name: 'Pin thing_11', exact: true, pressed: true }).waitFor();
    await picker.getByRole('searchbox', { name: 'Search tools' }).fill('');
    await picture('tools');
    await assertAccessible(picker, 'the tool picker');
    await picker.getByRole('checkbox', { name: 'All tools of editor' }).click();
    await picker
      .getByText(/^editor$/)
      .first()
      .waitFor();
    await picker.press('Escape');
    api.script([say('Seen.')]);
    await ask('Which tools do you see?');
    await chat.answers.last().getByText('Seen.').waitFor();
    await chat.untilIdle();
    assert.ok(toolsOf(-1).includes('many__thing_11'));
    assert.deepEqual(
      toolsOf(-1).filter((name) => name.startsWith('editor__')),
      [],
    );
  });

  it('holds head and tail of a long result, which opens whole', async () => {
    api.script([use('find_tools', { query: 'long output report' }), use('many__long_output'), say('A long report.')]);
    await ask('Write the report.');
    await allow(chat.toolCall('many', 'long_output'), 'Allow once');
    await chat.answers.last().getByText('A long report.').waitFor();
    await chat.untilIdle();
    const sent = JSON.stringify(api.messageBodies.at(-1)?.messages.at(-1));
    assert.match(sent, /The report begins\..*The whole result is kept.*The report ends\./);
    assert.doesNotMatch(sent, /line 4500 of the report/);
    const call = chat.toolCall('many', 'long_output');
    await call.getByRole('button').first().click();
    await call.getByRole('button', { name: /^Open whole result/ }).scrollIntoViewIfNeeded();
    await picture('long-result');
    await call.getByRole('button', { name: /^Open whole result/ }).click();
    await workbench()
      .page.getByRole('tab', { name: /^Whole result/ })
      .waitFor();
    await workbench().page.locator('.editor-instance').getByText('The report begins.').first().waitFor();
  });

  it('is what the provider counts, once things are quiet', async () => {
    // Between two counts of one conversation there are seconds.
    await chat.frame.locator('[role=meter][aria-valuetext*="tokens, as the provider counts"]').waitFor({ state: 'attached' });
    const meter = chat.frame.getByRole('meter', { name: 'Context' });
    assert.match((await meter.getAttribute('aria-valuetext')) ?? '', /^42 of [\d,]+ tokens, as the provider counts$/);
    assert.match((await contextButton().getAttribute('title')) ?? '', /^Context: 42 of [\d,]+ tokens, as the provider counts$/);
    await picture('counted');
  });

  it('is made by a summary with a mark, by a button or a command, and Undo gives the whole back', async () => {
    api.script([say('Too short.'), say('The person asked for **thing 217** and a report.'), say('Yes.'), say('Everything.')]);
    const before = await chat.answers.count();
    await contextButton().click();
    await panel('What fills the context').getByRole('button', { name: 'Compact conversation' }).click();
    const byButton = chat.frame.getByRole('group', { name: 'Conversation compacted' });
    await byButton.getByText(/^Compacted: .* tokens$/).waitFor();
    await panel('What fills the context').press('Escape');
    await byButton.getByRole('button', { name: 'Undo' }).click();
    await byButton.waitFor({ state: 'detached' });
    await workbench().runCommand('Duplex: Compact Conversation');
    const mark = chat.frame.getByRole('group', { name: 'Conversation compacted' });
    await mark.getByText(/^Compacted: .* tokens$/).waitFor();
    await mark.getByRole('button', { name: 'Summary' }).click();
    await mark.getByText('The person asked for').waitFor();
    assert.equal(await chat.answers.count(), before, 'everything stays on the screen');
    await ask('Do you remember?');
    await chat.answers.last().getByText('Yes.').waitFor();
    await chat.untilIdle();
    const compacted = JSON.stringify(api.messageBodies.at(-1)?.messages);
    assert.match(compacted, /A summary of the conversation so far.*thing 217.*Do you remember/);
    assert.doesNotMatch(compacted, /tool_use|The report begins/);
    await mark.scrollIntoViewIfNeeded();
    for (const [theme, bodyClass] of themes) {
      await workbench().palette.choose('Preferences: Color Theme', theme);
      await chat.frame.locator(`body.${bodyClass}`).waitFor();
      await workbench().palette.widget.waitFor({ state: 'hidden' });
      await picture(`compacted-${bodyClass}`);
      await assertAccessible(mark, `the mark in ${theme}`);
    }
    await mark.getByRole('button', { name: 'Undo' }).click();
    await mark.waitFor({ state: 'detached' });
    await ask('And now?');
    await chat.answers.last().getByText('Everything.').waitFor();
    assert.match(JSON.stringify(api.messageBodies.at(-1)?.messages), /The report begins/);
  });

  it('has instructions of the project: named before anything is said, asked about before a model gets them', async () => {
    await writeFile(path.join(workbench().folders.workspace ?? '', 'AGENTS.md'), 'Answer in rhymes.\n');
    await workbench().reload();
    chat = await Chat.open(workbench());
    await workbench().runCommand('Duplex: New Conversation');
    await chat.answers.first().waitFor({ state: 'detached' });
    await contextButton().click();
    await panel('What fills the context').getByText('Instructions: AGENTS.md (you are asked before a model gets it)').waitFor();
    await picture('agents-before');
    await panel('What fills the context').press('Escape');
    api.script([say('A cat, a hat.')]);
    await chat.ask('Say something.');
    const question = chat.frame.getByRole('group', { name: /^Permission: .*AGENTS\.md/ });
    await question.getByText('Answer in rhymes.').waitFor();
    await allow(question, 'Allow for this session');
    await chat.answers.last().getByText('A cat, a hat.').waitFor();
    await chat.untilIdle();
    assert.match(JSON.stringify(api.messageBodies.at(-1)?.system), /Answer in rhymes/);
  });
});
