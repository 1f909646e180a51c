import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import { commands } from '../../src/contract/commands.ts';
import { tools } from '../../src/server/offer/tools/toolTable.ts';
import { activateDuplex, answerNext, until } from './support/duplex.ts';

describe('The host', () => {
  let access: TestAccess;

  before(async () => {
    access = await activateDuplex();
  });

  it('has registered every command of the contract', async () => {
    const registered = await vscode.commands.getCommands(true);
    assert.deepEqual(
      commands.filter((name) => !registered.includes(`duplex.${name}`)),
      [],
    );
  });

  it('shows a server of the workspace as waiting for permission, and starts it only after the person allowed every field of it', async () => {
    const demo = await until('the demo server', () =>
      access.servers().find((server) => server.name === 'demo' && server.state.kind === 'stopped'),
    );
    assert.deepEqual(demo.state, { kind: 'stopped', reason: 'needsConsent' });
    const started = vscode.commands.executeCommand('duplex.startServer', { server: demo });
    const question = await answerNext(access, 'startServer', 'allow');
    await started;
    const { fields } = question.detail as Extract<typeof question.detail, { kind: 'startServer' }>;
    assert.ok(
      fields.some((field) => field.value.includes('demoServer.mjs')),
      JSON.stringify(fields),
    );
    const ready = access.servers().find((server) => server.name === 'demo');
    assert.equal(ready?.state.kind, 'ready');
    assert.ok(ready.tools.some((tool) => tool.name === 'roll_dice'));
  });

  it('offers the editor itself as a built-in server', async () => {
    const editor = await until('the built-in server', () =>
      access.servers().find((server) => server.name === 'editor' && server.state.kind === 'ready'),
    );
    assert.deepEqual(
      editor.tools.map((tool) => tool.name),
      tools.map((tool) => tool.name),
    );
  });

  it('stops a server when told to', async () => {
    const demo = access.servers().find((server) => server.name === 'demo');
    await vscode.commands.executeCommand('duplex.stopServer', { server: demo });
    assert.deepEqual(access.servers().find((server) => server.name === 'demo')?.state, { kind: 'stopped', reason: 'byUser' });
  });
});
