import assert from 'node:assert/strict';
import type { Choice } from '../../../../src/contract/questions/questions.ts';
import { readDefinitions } from '../../../../src/definitions/readDefinitions.ts';
import type { DefinitionSource } from '../../../../src/definitions/serverDefinition.ts';
import { createTestHost, scriptedServer, type TestHost } from '../support.ts';

const signal = new AbortController().signal;
const value = { scripted: { command: 'node', args: [scriptedServer, 'normal'] } };

describe('The answer to a start question', () => {
  let host: TestHost;
  beforeEach(async () => {
    host = await createTestHost();
  });
  afterEach(() => host.close());

  async function start(source: DefinitionSource, choice: Choice): Promise<readonly unknown[]> {
    host.answer = () => choice;
    await host.registry.apply(readDefinitions([source]));
    const { id } = host.server('scripted');
    const { kind } = await host.registry.start(id, { ask: host.ask, signal });
    const [question] = host.asked;
    assert.ok(question?.detail.kind === 'startServer');
    return [kind, question.detail.holdsIn, host.ledger.answers().map(({ scope }) => scope)];
  }
  const inFolder = { name: 'app', path: import.meta.dirname };
  const sources: readonly (readonly [what: string, source: DefinitionSource, holdsIn: 'workspace' | 'always'])[] = [
    ['the workspace', { scope: 'workspace', workspace: '/app', value, location: 'workspace settings' }, 'workspace'],
    ['a folder', { scope: 'folder', folder: inFolder, value, location: 'settings of app' }, 'workspace'],
    [
      'a file that was found in a folder',
      { scope: 'discovered', folder: inFolder, file: { path: '/app/.mcp.json', name: '.mcp.json' }, value, location: '.mcp.json' },
      'workspace',
    ],
    ['the person', { scope: 'user', value, location: 'user settings' }, 'always'],
    [
      'a file of the person',
      { scope: 'discovered', file: { path: '/home/me/claude.json', name: 'Claude' }, value, location: 'Claude' },
      'always',
    ],
  ];
  for (const [what, source, holdsIn] of sources) {
    it(`“Allow” for a server of ${what} holds ${holdsIn === 'workspace' ? 'in this workspace' : 'everywhere'}, and the question says so`, async () => {
      assert.deepEqual(await start(source, 'allow'), ['ready', holdsIn, [holdsIn]]);
    });
  }

  it('“Allow for this session” is kept in no file, also not for the program that was found after it', async () => {
    const [, source] = sources[3] ?? assert.fail();
    assert.deepEqual(await start(source, 'allowSession'), ['ready', 'always', ['session']]);
    assert.equal(host.asked.length, 1);
    await host.registry.restart(host.server('scripted').id, { ask: host.ask, signal });
    assert.deepEqual([host.server('scripted').state.kind, host.asked.length], ['ready', 1]);
  });
});
