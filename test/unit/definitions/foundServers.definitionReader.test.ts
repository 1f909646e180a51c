import assert from 'node:assert/strict';
import { DefinitionReader } from '../../../src/definitions/foundServers.ts';
import type { DefinitionSource } from '../../../src/definitions/serverDefinition.ts';

describe('The reader of definitions', () => {
  const sourceOf = (name: string): DefinitionSource => ({
    scope: 'user',
    value: { [name]: { command: 'node' } },
    location: 'user settings',
  });

  it('ends readings in the order they were asked for, also when an older one takes longer', async () => {
    const waits = [20, 0];
    const sources = async (): Promise<readonly DefinitionSource[]> => {
      await new Promise((resolve) => setTimeout(resolve, waits.shift()));
      return [];
    };
    const names = ['old', 'new'];
    const reader = new DefinitionReader(() => [sourceOf(names.shift() ?? '')], { sources });
    const ended: string[] = [];
    await Promise.all([1, 2].map(() => reader.read().then(({ definitions }) => ended.push(...definitions.map(({ name }) => name)))));
    assert.deepEqual(ended, ['old', 'new']);
  });

  it('reads on after a reading that failed', async () => {
    const failures = [new Error('unreadable')];
    const sources = (): Promise<readonly DefinitionSource[]> => {
      const failure = failures.shift();
      return failure === undefined ? Promise.resolve([]) : Promise.reject(failure);
    };
    const reader = new DefinitionReader(() => [sourceOf('demo')], { sources });
    await assert.rejects(reader.read(), /unreadable/);
    assert.deepEqual(
      (await reader.read()).definitions.map(({ name }) => name),
      ['demo'],
    );
  });
});
