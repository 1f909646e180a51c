import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Choice } from '../../../../src/contract/questions/questions.ts';
import { readDefinitions } from '../../../../src/definitions/readDefinitions.ts';
import type { DefinitionSource } from '../../../../src/definitions/serverDefinition.ts';
import { TextInMemory } from '../../../../src/base/sharedStorage.ts';
import { permissionRows } from '../../../../src/views/permissions/permissionRows.ts';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';
import { translating } from '../../views/sentences/otherLanguage.ts';
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

describe("The answers to the start of a person's own server in two projects", () => {
  const folders = [createTemporaryFolder(), createTemporaryFolder()] as const;
  const own = { scope: 'user', value, location: 'user settings' } as const;
  let windows: readonly [TestHost, TestHost];
  beforeEach(async () => {
    const storage = new TextInMemory();
    windows = [await createTestHost({ folder: folders[0], storage }), await createTestHost({ folder: folders[1], storage })];
    await Promise.all(windows.map((window) => window.registry.apply(readDefinitions([own]))));
  });
  afterEach(() => Promise.all(windows.map((window) => window.close())));

  const start = async (window: TestHost): Promise<readonly unknown[]> => {
    await window.ledger.load();
    const before = window.asked.length;
    const { kind } = await window.registry.restart(window.server('scripted').id, { ask: window.ask, signal });
    return [kind, window.asked.slice(before).map(({ why, differences }) => [why, differences.map(({ field }) => field)])];
  };

  it('stand side by side: each project is asked about once, and the other one says what differs', async () => {
    const [one, other] = windows;
    const asked = [await start(one), await start(other), await start(one), await start(other)];
    assert.deepEqual(asked, [
      ['ready', [['new', []]]],
      ['ready', [['changed', ['cwd']]]],
      ['ready', []],
      ['ready', []],
    ]);
    const named = (): { name: string; isHere: boolean } => ({ name: 'scripted', isHere: true });
    const rows = permissionRows(one.ledger.answers(), () => true, named, translating({}));
    assert.deepEqual(rows.map(({ what }) => what).sort(), folders.map((folder) => `start the server “scripted”, in ${folder}`).sort());
  });

  it('are taken back one by one, and a refusal counts in both', async () => {
    const [one, other] = windows;
    await start(one);
    await start(other);
    await one.ledger.load();
    const [ofOne, ofOther] = one.ledger.answers();
    assert.ok(ofOne !== undefined && ofOther !== undefined);
    await one.ledger.revoke(ofOne.id);
    await one.until(() => one.server('scripted').state.kind === 'stopped', 'the end in the first window');
    await other.ledger.load();
    assert.equal(other.server('scripted').state.kind, 'ready');
    await one.ledger.remember(ofOne, 'deny', 'always');
    assert.deepEqual(
      one.ledger.answers().map(({ answer }) => answer),
      ['deny'],
    );
  });

  it('name what changed in the same folder, not in the other one', async () => {
    const [one, other] = windows;
    await start(one);
    await start(other);
    await one.registry.apply(readDefinitions([{ ...own, value: { scripted: { ...value.scripted, args: [scriptedServer, 'noisy'] } } }]));
    assert.deepEqual(await start(one), ['ready', [['changed', ['args']]]]);
  });

  it('leave what was allowed to its tools alone, unless the definition itself names a folder', async () => {
    const [one, other] = windows;
    await start(one);
    one.answer = () => 'allowAlways';
    await one.call('echo', { text: 'here' });
    await start(other);
    const before = other.asked.length;
    assert.equal((await other.call('echo', { text: 'there' })).kind, 'result');
    assert.equal(other.asked.length, before);
    await other.registry.apply(readDefinitions([{ ...own, value: { scripted: { ...value.scripted, cwd: folders[1] } } }]));
    await start(other);
    other.answer = () => 'deny';
    assert.equal((await other.call('echo', { text: 'there' })).kind, 'denied');
  });

  it('allow no tool of a script that another folder has under the same relative path', async () => {
    const script = `await import(${JSON.stringify(pathToFileURL(scriptedServer).href)});\n`;
    const definition = { command: 'node', args: ['mcp/server.mjs', 'normal'] };
    for (const [index, window] of windows.entries()) {
      const folder = path.join(folders[index] ?? assert.fail(), 'mcp');
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'server.mjs'), script);
      await window.registry.apply(readDefinitions([{ ...own, value: { scripted: definition } }]));
    }
    const [one, other] = windows;
    await start(one);
    one.answer = () => 'allowAlways';
    await one.call('echo', { text: 'here' });
    other.answer = () => 'allowSession';
    assert.deepEqual(await start(other), ['ready', [['changed', ['cwd']]]]);
    other.answer = () => 'deny';
    assert.equal((await other.call('echo', { text: 'there' })).kind, 'denied');
    await start(one);
    const before = one.asked.length;
    assert.equal((await one.call('echo', { text: 'here' })).kind, 'result');
    assert.equal(one.asked.length, before);
  });
});
