import assert from 'node:assert/strict';
import type { ServerSnapshot } from '../../../../src/host/shared/serverState.ts';
import type { setServerLogLevel } from '../../../../src/views/servers/serverLogLevel.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

interface Shown {
  readonly label: string;
  readonly description?: string;
}

interface Program {
  readonly setServerLogLevel: typeof setServerLogLevel;
  readonly lists: { readonly items: readonly Shown[] }[];
  readonly answers: string[];
  readonly said: string[];
}

const program = `
  export { setServerLogLevel } from './src/views/servers/serverLogLevel.ts';
  export { lists, answers, said } from 'vscode';`;
const editor = `
  export const lists = [], answers = [], said = [];
  export const l10n = { t: (text, ...args) => text.replace(/\\{(\\d)\\}/g, (_, index) => args[index]) };
  export const env = { language: 'en' };
  export const window = {
    showQuickPick: async (items) => {
      lists.push({ items });
      const answer = answers.shift();
      return items.find(({ label }) => label === answer);
    },
    showInformationMessage: async (sentence) => void said.push(sentence),
  };`;

function serverThat(id: string, state: Partial<Extract<ServerSnapshot['state'], { kind: 'ready' }>>): ServerSnapshot {
  const ready = { kind: 'ready', serverName: id, version: '1', protocolVersion: '2025-11-25', capabilities: ['tools', 'logging'] } as const;
  return {
    ...{ id, name: id, label: id, scope: 'user', location: 'user settings', hasInputs: false },
    ...{ tools: [], prompts: [], resources: [], templates: [], skills: [], problems: [] },
    state: { ...ready, ...state },
  };
}

describe('The log level of a server', function () {
  this.timeout(60_000);
  let loaded: Program;
  let set: string[];
  const levels = new Map<string, 'debug' | 'warning'>();
  const talkative = serverThat('talkative', {});
  const registry = (...servers: readonly ServerSnapshot[]): Parameters<typeof setServerLogLevel>[0] => ({
    servers: () => servers,
    features: (id) => ({
      logLevel: levels.get(id),
      setLogLevel: (level) => Promise.resolve(void set.push(`${id}: ${level}`)),
    }),
  });

  beforeEach(async () => {
    set = [];
    levels.clear();
    loaded = await importWithFakes<Program>(program, { vscode: editor });
  });

  it('is chosen for the server of a row, from all levels, with the one that holds marked', async () => {
    levels.set('talkative', 'warning');
    loaded.answers.push('debug');
    await loaded.setServerLogLevel(registry(talkative), { server: { id: 'talkative' } });
    assert.deepEqual(
      loaded.lists.map(({ items }) => items.map(({ label, description = '' }) => `${label} ${description}`.trim())),
      [['debug', 'info', 'notice', 'warning current', 'error', 'critical', 'alert', 'emergency']],
    );
    assert.deepEqual(set, ['talkative: debug']);
  });

  it('stays as it is when the person changes their mind', async () => {
    await loaded.setServerLogLevel(registry(talkative), { server: { id: 'talkative' } });
    assert.deepEqual([loaded.lists.length, set], [1, []]);
  });

  it('is offered for running servers that have logging, and whose revision of the protocol has levels', async () => {
    const others = [serverThat('silent', { capabilities: ['tools'] }), serverThat('modern', { protocolVersion: '2026-07-28' })];
    const stopped: ServerSnapshot = { ...serverThat('stopped', {}), state: { kind: 'stopped', reason: 'byUser' } };
    loaded.answers.push('talkative', 'error');
    await loaded.setServerLogLevel(registry(...others, talkative, stopped), undefined);
    assert.deepEqual(
      loaded.lists[0]?.items.map(({ label }) => label),
      ['talkative'],
    );
    assert.deepEqual(set, ['talkative: error']);
    await loaded.setServerLogLevel(registry(...others, stopped), undefined);
    assert.deepEqual([loaded.lists.length, loaded.said], [2, ['There is no server for that right now.']]);
  });
});
