import assert from 'node:assert/strict';
import { readDefinitions } from '../../../src/definitions/readDefinitions.ts';
import type { DefinitionReading, DefinitionSource } from '../../../src/definitions/serverDefinition.ts';

const user = (value: unknown): DefinitionSource => ({ scope: 'user', value, location: 'user settings' });
const workspace = (value: unknown, place = '/projects/shop'): DefinitionSource => ({
  scope: 'workspace',
  workspace: place,
  value,
  location: 'workspace settings',
});
const folder = (name: string, path: string, value: unknown): DefinitionSource => ({
  scope: 'folder',
  folder: { name, path },
  value,
  location: `settings of the folder ${name}`,
});
const server = { command: 'node', args: ['server.mjs'] };

const labels = (reading: DefinitionReading): string[] => reading.definitions.map((definition) => definition.label);
const problems = (reading: DefinitionReading): unknown[] =>
  reading.problems.map(({ severity, code, server: name, path }) => [severity, code, name, path.join('.')]);

describe('Server definitions', () => {
  it('of both kinds are read as they are pasted from other hosts', () => {
    const remote = { type: 'sse', url: 'https://example.com/sse', headers: { 'X-Key': '${env:KEY}' } };
    const reading = readDefinitions([user({ local: { ...server, env: { DEBUG: true, LEVEL: 3, GONE: null } }, remote })]);
    assert.deepEqual(reading.problems, []);
    assert.deepEqual(
      reading.definitions.map(({ id, name, label, kind, raw }) => ({ id, name, label, kind, raw })),
      [
        { id: 'user:local', name: 'local', label: 'local', kind: 'stdio', raw: { ...server, env: { DEBUG: true, LEVEL: 3, GONE: null } } },
        { id: 'user:remote', name: 'remote', label: 'remote', kind: 'remote', raw: remote },
      ],
    );
  });

  it('in a pasted wrapper are unwrapped', () => {
    assert.deepEqual(labels(readDefinitions([user({ mcpServers: { one: server }, two: server })])), ['one', 'two']);
    assert.deepEqual(labels(readDefinitions([user({ mcpServers: server })])), ['mcpServers']);
  });

  it('with a mistake are reported with their place and harm no other', () => {
    const reading = readDefinitions([
      user({ good: server, bad: { command: '', args: 'x' }, both: { command: 'a', url: 'b' }, none: {}, text: 'npx' }),
      workspace([server]),
    ]);
    assert.deepEqual(labels(reading), ['good']);
    assert.deepEqual(problems(reading), [
      ['error', 'definitions.emptyField', 'bad', 'command'],
      ['error', 'definitions.wrongType', 'bad', 'args'],
      ['error', 'definitions.commandOrUrl', 'both', ''],
      ['error', 'definitions.commandOrUrl', 'none', ''],
      ['error', 'definitions.notAnObject', 'text', ''],
      ['error', 'definitions.serversNotAnObject', undefined, ''],
    ]);
    assert.deepEqual([reading.problems[0]?.location, reading.problems[5]?.location], ['user settings', 'workspace settings']);
  });

  it('say of each field what it must be', () => {
    const far = { url: 'https://a.example', type: 'grpc', timeout: 5 };
    const near = { command: '', args: 'x', env: { A: [] }, timeout: 1e9, disabled: 'yes' };
    assert.deepEqual(
      readDefinitions([user({ far, near })]).problems.map(({ message }) => message),
      [
        '“far”: type must be one of "http", "sse", "ws".',
        '“far”: timeout must be at least 1000.',
        '“near”: command is empty.',
        '“near”: args must be a list.',
        '“near”: env.A must be a text, a number, true, false or null.',
        '“near”: disabled must be true or false.',
        '“near”: timeout must be at most 3600000.',
      ],
    );
  });

  it('with fields of other hosts work without those, and say so', () => {
    const reading = readDefinitions([user({ demo: { ...server, alwaysAllow: ['*'], tools: { include: ['a'], only: 1 } } })]);
    assert.deepEqual(reading.definitions[0]?.raw, { ...server, tools: { include: ['a'] } });
    assert.deepEqual(
      new Set(problems(reading).map(String)),
      new Set(['warning,definitions.unknownField,demo,alwaysAllow', 'warning,definitions.unknownField,demo,tools.only']),
    );
  });

  it('that name a variable which is not set say so, once, where it would be used; without an environment nobody knows', () => {
    const definition = {
      command: 'node',
      args: ['--key', '${env:KEY}', '${env:HOME}'],
      env: { OTHER: '${env:KEY}', EMPTY: '${env:EMPTY}' },
    };
    const remote = { url: 'https://example.com', headers: { Authorization: 'Bearer ${env:TOKEN}' } };
    const sources = [user({ local: definition, remote, off: { ...definition, disabled: true } })];
    assert.deepEqual(problems(readDefinitions(sources, { HOME: '/home/anna', EMPTY: '' })), [
      ['warning', 'definitions.unsetVariable', 'local', 'args.1'],
      ['warning', 'definitions.unsetVariable', 'remote', 'headers.Authorization'],
    ]);
    assert.deepEqual(problems(readDefinitions(sources)), []);
    const [first] = readDefinitions(sources, {}).problems;
    assert.match(first?.message ?? '', /“local”: args\.1 uses \$\{env:KEY\}, but KEY is not set/);
  });

  it('may not take the name of the editor, an empty name or one with invisible characters', () => {
    const reading = readDefinitions([user({ editor: server, ' ': server, 'de\u200Bmo': server, ok: server })]);
    assert.deepEqual(labels(reading), ['ok']);
    assert.deepEqual(problems(reading), [
      ['error', 'definitions.reservedName', 'editor', ''],
      ['error', 'definitions.badName', ' ', ''],
      ['error', 'definitions.badName', 'de⟨U+200B⟩mo', ''],
    ]);
  });

  it('whose keys are the same name are one server, the last of them', () => {
    const reading = readDefinitions([user({ demo: { command: 'first' }, other: server, ' \uFF44emo\u00A0': { command: 'last' } })]);
    assert.deepEqual(labels(reading), ['other', 'demo']);
    assert.deepEqual(reading.definitions[1]?.raw, { command: 'last' });
    assert.deepEqual(problems(reading), [['warning', 'definitions.sameName', 'demo', '']]);
  });

  it('of the same name in several scopes are all kept whole and told apart', () => {
    const reading = readDefinitions([
      user({ demo: { url: 'https://mine.example', headers: { Authorization: 'x' } } }),
      workspace({ demo: { url: 'https://theirs.example' } }),
      folder('app', '/a/app', { demo: server }),
      folder('app', '/b/app', { demo: server }),
    ]);
    assert.deepEqual(labels(reading), ['demo@user', 'demo@workspace', 'demo@app', 'demo@app~2']);
    assert.equal(new Set(reading.definitions.map((definition) => definition.id)).size, 4);
    assert.deepEqual(reading.definitions[1]?.raw, { url: 'https://theirs.example' });
  });

  it('of the same name never lend each other a debugger', () => {
    const reading = readDefinitions([user({ demo: server }), workspace({ demo: { ...server, dev: { debug: 'node' } } })]);
    assert.deepEqual(
      reading.definitions.map(({ raw }) => ('dev' in raw ? raw.dev : undefined)),
      [undefined, { debug: 'node' }],
    );
  });

  it('of the same name in two workspaces have different identities', () => {
    const ids = ['/projects/shop', '/projects/evil'].map(
      (place) => readDefinitions([workspace({ demo: server }, place)]).definitions[0]?.id,
    );
    assert.notEqual(ids[0], ids[1]);
  });
});
