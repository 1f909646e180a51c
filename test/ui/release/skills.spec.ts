import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import { AnthropicServer } from '../../fixtures/anthropic/anthropicServer.ts';
import { say, type ScriptedTurn } from '../../fixtures/anthropic/turns.ts';
import { outFolder, repositoryRoot } from '../../support/run/repository.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from '../../support/run/temporaryFolder.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import { Chat } from '../pages/chat.ts';
import { allow } from '../pages/questions.ts';

const server = path.join(repositoryRoot, 'test/fixtures/servers/skillsServer.mjs');
const load = (input: Record<string, string>): ScriptedTurn => ({
  kind: 'answer',
  blocks: [{ kind: 'toolUse', name: 'load_skill', input }],
});
const skill = (name: string, text: string): string => `---\nname: ${name}\ndescription: How to ${name} here.\n---\n\n${text}\n`;

describe('Skills of a server and of the workspace', () => {
  let api: AnthropicServer;
  let chat: Chat;
  let served: string;
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  before(async () => {
    api = await AnthropicServer.start();
    served = createTemporaryFolder();
    await write(path.join(served, 'heard.txt'), '');
    await write(path.join(served, 'skills/pay/SKILL.md'), skill('pay', 'Count twice.'));
    await write(path.join(served, 'skills/pay/forms/FORM.md'), 'Amount, name.\n');
  });
  after(async () => {
    await api.close();
    await removeTemporaryFolder(served);
  });
  const workbench = useWorkbench({
    version: 'ceiling',
    workspace: 'plain',
    viewport: { width: 1280, height: 900 },
    get settings() {
      const shop = { command: 'node', args: [server, path.join(served, 'skills'), path.join(served, 'heard.txt')] };
      return { 'duplex.anthropic.baseUrl': api.url, 'duplex.mcpServers': { shop } };
    },
    get env() {
      return { ANTHROPIC_API_KEY: api.apiKey };
    },
  });
  const local = (): string => path.join(workbench().folders.workspace ?? '', '.claude/skills/ship/SKILL.md');
  const question = (name: RegExp): Locator => chat.frame.getByRole('group', { name }).last();
  const ask = async (text: string): Promise<void> => {
    const before = await chat.answers.count();
    await chat.ask(text);
    await chat.answers.nth(before).waitFor();
  };
  const toldOf = (): string => JSON.stringify(api.messageBodies.at(-1)?.tools ?? []);
  const given = (): string => JSON.stringify(api.messageBodies.at(-1)?.messages ?? []);

  before(async () => {
    await workbench().openView('Duplex');
    await workbench().views.rows('MCP Servers').filter({ hasText: 'needs permission' }).waitFor();
    await write(local(), skill('ship', 'Ship it.'));
    await workbench().views.rows('MCP Servers').filter({ hasText: 'Skills of This Workspace' }).waitFor();
    chat = await Chat.open(workbench());
  });

  it('are offered by name, asked about with every file, and asked about again when a byte changes', async function () {
    this.timeout(180_000);
    api.script([load({ skill: 'pay' }), load({ skill: 'ship' }), say('Both are read.')]);
    await ask('@shop Pay, then ship.');
    await allow(question(/^Permission: Start the server “shop”/), 'Allow');
    await allow(question(/^Permission: Tell .* of the skills in this workspace/), 'Allow for this session');
    await allow(chat.toolCall('Duplex', 'load_skill').first(), 'Allow for this session');
    const content = question(/^Permission: Give .* the skill “pay” of the server “shop”/);
    await content.getByText('Amount, name.').waitFor();
    await workbench().screenshot(path.join(outFolder, 'looks', 'skill-question.png'));
    await allow(content, 'Allow for this session');
    await allow(question(/^Permission: Give .* the skill “ship” of this workspace/), 'Allow for this session');
    await chat.answers.last().getByText('Both are read.').waitFor();
    await chat.untilIdle();
    assert.match(toldOf(), /load_skill[^]*How to pay here[^]*How to ship here/);
    assert.match(given(), /Count twice[^]*Ship it\./);

    await write(local(), skill('ship', 'Ship it!'));
    api.script([load({ skill: 'ship' }), say('It was not allowed.')]);
    await ask('Ship again.');
    const changed = question(/^Permission: Tell .* of the skills in this workspace/);
    await changed.getByText('Files of it have changed since you last allowed it.').waitFor();
    await changed.getByRole('button', { name: 'Deny', exact: true }).click();
    await chat.answers.last().getByText('It was not allowed.').waitFor();
    await chat.untilIdle();
    assert.deepEqual([toldOf().includes('How to ship here'), given().includes('Ship it!')], [false, false]);
  });
});
