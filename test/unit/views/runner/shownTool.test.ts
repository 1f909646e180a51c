import assert from 'node:assert/strict';
import type { ServerSnapshot, ServerState, ToolInfo } from '../../../../src/host/shared/serverState.ts';
import { ShownTool } from '../../../../src/views/runner/shownTool.ts';
import { snapshotOf } from '../../host/snapshots.ts';

const ready: ServerState = { kind: 'ready', serverName: 's', version: '1', protocolVersion: '2025-11-25', capabilities: [] };
const roll: ToolInfo = {
  name: 'roll',
  title: 'Roll\u200b',
  description: 'Rolls dice.',
  inputSchema: { type: 'object', properties: { sides: { type: 'integer', default: 6 } }, required: ['sides'] },
  outputSchema: undefined,
  annotations: { readOnlyHint: true },
};
const server = (state: ServerState, ...tools: ToolInfo[]): ServerSnapshot => ({ ...snapshotOf('user:dice', state), label: 'dice', tools });

describe('The tool of a tab', () => {
  it('is shown with its form and what its schema gives, and nothing in it is hidden', () => {
    const shown = new ShownTool({ serverId: 'user:dice', tool: 'roll' }).look([server(ready, roll)], () => undefined);
    assert.deepEqual(
      { ...shown, form: shown.form?.fields.map(({ name }) => name) },
      {
        key: { serverId: 'user:dice', tool: 'roll' },
        isKnown: true,
        server: 'dice',
        tool: 'roll',
        title: 'Roll⟨U+200B⟩',
        description: 'Rolls dice.',
        claims: ['readOnly'],
        form: ['sides'],
        arguments: '{\n  "sides": 6\n}',
        state: 'ready',
      },
    );
  });

  it('stays as it was last while its server does not run, and says so', () => {
    const tool = new ShownTool({ serverId: 'user:dice', tool: 'roll' });
    const states = [
      [server(ready, roll)],
      [server({ kind: 'stopped', reason: 'byUser' })],
      [server({ kind: 'starting', attempt: 1 })],
      [server(ready, { ...roll, name: 'other' })],
      [],
    ].map((servers) => tool.look(servers, () => undefined));
    assert.deepEqual(
      states.map((shown) => [shown.state, shown.description, shown.server]),
      ['ready', 'stopped', 'starting', 'gone', 'gone'].map((state) => [state, 'Rolls dice.', 'dice']),
    );
  });

  it('is there by its name alone, after a reload, until its server runs', () => {
    const tool = new ShownTool({ serverId: 'user:dice', tool: 'roll' });
    const looks = [[], [server({ kind: 'starting', attempt: 1 })], [server(ready, roll)]].map((servers) =>
      tool.look(servers, () => undefined),
    );
    assert.deepEqual(
      looks.map(({ tool: name, state, isKnown, form }) => [name, state, isKnown, form !== undefined]),
      [
        ['roll', 'gone', false, false],
        ['roll', 'starting', false, false],
        ['roll', 'ready', true, true],
      ],
    );
    assert.equal(
      new ShownTool({ serverId: 'user:dice', tool: 'roll' }).look([server(ready)], () => undefined).state,
      'gone',
      'and says that it is gone',
    );
  });

  it('is made anew only when its server says something else of it', () => {
    const tool = new ShownTool({ serverId: 'user:dice', tool: 'roll' });
    const first = tool.look([server(ready, roll)], () => undefined);
    assert.equal(
      tool.look([server(ready, roll)], () => undefined),
      first,
    );
    assert.equal(tool.look([server(ready, { ...roll, description: 'Rolls more.' })], () => undefined).description, 'Rolls more.');
  });

  it('names the definition that Run is the consent for, also while its server does not run, and folds what was read only when it is another one', () => {
    const tool = new ShownTool({ serverId: 'user:dice', tool: 'roll' });
    const look = (servers: readonly ServerSnapshot[], fingerprint: string | undefined, isRead: boolean): readonly unknown[] => {
      const shown = tool.look(servers, () => (fingerprint === undefined ? undefined : { fingerprint, isRead }));
      return [shown.definition, shown.isRead];
    };
    const other = { ...roll, description: 'Rolls more.' };
    assert.deepEqual(
      [
        look([server(ready, roll)], 'one', false),
        look([server(ready, roll)], 'one', true),
        look([server({ kind: 'stopped', reason: 'byUser' })], undefined, false),
        look([server(ready, other)], 'two', true),
        look([server(ready, { ...other, description: 'Asks by itself.' })], undefined, false),
      ],
      [
        ['one', undefined],
        ['one', undefined],
        ['one', undefined],
        ['two', true],
        [undefined, undefined],
      ],
    );
  });
});
