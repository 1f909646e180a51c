import assert from 'node:assert/strict';
import { answerInputs, type InputOwner } from '../../../src/definitions/inputs.ts';
import { readDefinitions } from '../../../src/definitions/readDefinitions.ts';
import type { DefinitionReading, ServerDefinition } from '../../../src/definitions/serverDefinition.ts';
import { StoredInputValues } from '../../../src/editor/storage/storedInputValues.ts';

const signal = new AbortController().signal;
const token = { type: 'promptString', id: 'token', password: true };
const level = { type: 'pickString', id: 'level', options: ['low', { label: 'High', value: 'high' }] };

const read = (value: unknown, inputs: unknown): DefinitionReading =>
  readDefinitions([{ scope: 'user', value, inputs, location: 'user settings' }]);
const codes = (reading: DefinitionReading): unknown[] => reading.problems.map(({ code, server, path }) => [code, server, path.join('.')]);

function definitionOf(reading: DefinitionReading): ServerDefinition {
  const [definition] = reading.definitions;
  assert.ok(definition, JSON.stringify(reading.problems));
  return definition;
}

/** VS Code's secret store, in memory. */
class Secrets {
  readonly kept = new Map<string, string>();
  async get(key: string): Promise<string | undefined> {
    return this.kept.get(key);
  }
  async store(key: string, value: string): Promise<void> {
    this.kept.set(key, value);
  }
  async delete(key: string): Promise<void> {
    this.kept.delete(key);
  }
}

describe('Inputs', () => {
  it('are given to a definition when it uses them, from its own place only', () => {
    const value = { one: { command: 'a', args: ['${input:token}'], env: { L: '${input:level}' } }, two: { command: 'b' } };
    const reading = read(value, [token, level, { ...token, id: 'unused' }]);
    assert.deepEqual(
      reading.definitions.map(({ name, inputs }) => [name, inputs.map(({ id }) => id)]),
      [
        ['one', ['token', 'level']],
        ['two', []],
      ],
    );
    const elsewhere = readDefinitions([
      { scope: 'user', value: {}, inputs: [token], location: 'user settings' },
      { scope: 'workspace', workspace: '/w', value, inputs: undefined, location: 'workspace settings' },
    ]);
    assert.deepEqual(
      elsewhere.definitions.map(({ name }) => name),
      ['two'],
    );
    assert.deepEqual(codes(elsewhere), [
      ['definitions.unknownInput', 'one', ''],
      ['definitions.unknownInput', 'one', ''],
    ]);
  });

  it('with a mistake are reported and harm no other', () => {
    const value = { good: { command: 'a', args: ['${input:token}'] } };
    const reading = read(value, [token, { ...token }, { type: 'command', id: 'x', command: 'evil' }, { ...level, options: [] }, 'text']);
    assert.equal(reading.definitions.length, 1);
    assert.deepEqual(codes(reading), [
      ['definitions.repeatedInput', undefined, 'inputs.1'],
      ['definitions.inputType', undefined, 'inputs.2'],
      ['definitions.badInput', undefined, 'inputs.3'],
      ['definitions.inputNotAnObject', undefined, 'inputs.4'],
    ]);
    assert.deepEqual(
      reading.problems.map(({ message }) => message),
      [
        'The input “token” is not used: There is another input with this id.',
        'The input “x” is not used: “type” must be one of "promptString", "pickString".',
        'The input “level” is not used: “options” is missing or not valid.',
        'The input “4” is not used: It must be an object.',
      ],
    );
    assert.deepEqual(codes(read({}, { token })), [['definitions.inputsNotAList', undefined, 'inputs']]);
  });

  it('may not decide which files are read', () => {
    const definitions = {
      a: { command: 'a', cwd: '${input:token}' },
      b: { command: 'a', envFile: '${input:token}' },
      c: { url: 'https://a.example', tls: { ca: '${input:token}' } },
    };
    assert.deepEqual(codes(read(definitions, [token])), [
      ['definitions.inputNotHere', 'a', 'cwd'],
      ['definitions.inputNotHere', 'b', 'envFile'],
      ['definitions.inputNotHere', 'c', 'tls.ca'],
    ]);
  });

  it('that were given with the definition are not asked for', async () => {
    const definition = definitionOf(read({ one: { command: 'a', args: ['${input:token}'] } }, [token]));
    const [input] = definition.inputs;
    assert.ok(input);
    const secrets = new Secrets();
    const values = new StoredInputValues(secrets, 'here', () => Promise.reject(new Error('asked')));
    await values.keep(definition, input, 's3cret');
    const complete = { kind: 'complete', values: new Map([['token', 's3cret']]) };
    assert.deepEqual(await answerInputs(definition, values, { mayAsk: true, signal }), complete);
    assert.equal(secrets.kept.size, 1);
  });

  it('are asked for once and then remembered until forgotten', async () => {
    const definition = definitionOf(read({ one: { command: 'a', args: ['${input:token}', '${input:level}'] } }, [token, level]));
    const asked: string[] = [];
    const values = new StoredInputValues(new Secrets(), 'here', (owner, input) => {
      asked.push(`${owner.label} ${input.id}`);
      return Promise.resolve(input.id === 'level' ? 'high' : 's3cret');
    });
    assert.deepEqual(await answerInputs(definition, values, { mayAsk: false, signal }), { kind: 'missing' });
    const complete = { kind: 'complete', values: new Map(Object.entries({ token: 's3cret', level: 'high' })) };
    assert.deepEqual(await answerInputs(definition, values, { mayAsk: true, signal }), complete);
    assert.deepEqual(await answerInputs(definition, values, { mayAsk: false, signal }), complete);
    assert.deepEqual(asked, ['one token', 'one level']);
    await values.forget(definition, definition.inputs);
    assert.deepEqual(await answerInputs(definition, values, { mayAsk: false, signal }), { kind: 'missing' });
  });

  it('are asked for again when the remembered choice is no longer offered', async () => {
    const values = new StoredInputValues(new Secrets(), 'here', () => Promise.resolve('low'));
    const definition = definitionOf(read({ one: { command: 'a', args: ['${input:level}'] } }, [level]));
    await answerInputs(definition, values, { mayAsk: true, signal });
    const changed = definitionOf(read({ one: { command: 'a', args: ['${input:level}'] } }, [{ ...level, options: ['high'] }]));
    assert.deepEqual(await answerInputs(changed, values, { mayAsk: false, signal }), { kind: 'missing' });
  });

  it('that are cancelled keep nothing', async () => {
    const secrets = new Secrets();
    const values = new StoredInputValues(secrets, 'here', () => Promise.resolve(undefined));
    const definition = definitionOf(read({ one: { command: 'a', args: ['${input:token}'] } }, [token]));
    assert.deepEqual(await answerInputs(definition, values, { mayAsk: true, signal }), { kind: 'cancelled' });
    assert.equal(secrets.kept.size, 0);
  });

  it('of one definition are never another’s, whatever its name, scope or place', async () => {
    const value = { one: { command: 'a', args: ['${input:token}'] } };
    const { definitions } = readDefinitions([
      { scope: 'user', value: { ...value, 'one","token': value.one }, inputs: [token], location: '' },
      { scope: 'workspace', workspace: '/a', value, inputs: [token], location: '' },
      { scope: 'folder', folder: { name: 'a', path: '/a' }, value, inputs: [token], location: '' },
      { scope: 'discovered', file: { path: '/a/.mcp.json', name: '.mcp.json' }, value, inputs: [token], location: '' },
    ]);
    const others = readDefinitions([{ scope: 'workspace', workspace: '/b', value, inputs: [token], location: '' }]).definitions;
    const owners: readonly InputOwner[] = [...definitions, ...others];
    assert.equal(owners.length, 6);
    const secrets = new Secrets();
    const values = new StoredInputValues(secrets, 'here', (owner) => Promise.resolve(owner.id));
    for (const owner of [...definitions, ...others]) {
      await answerInputs(owner, values, { mayAsk: true, signal });
    }
    assert.equal(secrets.kept.size, 6);
    const [input] = definitions[0]?.inputs ?? [];
    assert.ok(input);
    const answers = await Promise.all(owners.map((owner) => values.get(owner, input)));
    assert.deepEqual(
      answers,
      owners.map(({ id }) => id),
    );
  });

  it('of a workspace are those of its machine or container, and only the person’s own go along with them', async () => {
    const value = { one: { command: 'a', args: ['${input:token}'] } };
    const secrets = new Secrets();
    const { definitions } = readDefinitions([
      { scope: 'user', value, inputs: [token], location: '' },
      { scope: 'remote', machine: 'equal', value, inputs: [token], location: '' },
      { scope: 'workspace', workspace: 'file:///workspaces/app', value, inputs: [token], location: '' },
      { scope: 'folder', folder: { name: 'app', path: '/workspaces/app' }, value, inputs: [token], location: '' },
      { scope: 'discovered', file: { path: '/workspaces/app/.mcp.json', name: '.mcp.json' }, value, inputs: [token], location: '' },
    ]);
    const here = new StoredInputValues(secrets, 'container-1', () => Promise.resolve('s3cret'));
    const there = new StoredInputValues(secrets, 'container-2', () => Promise.resolve(undefined));
    const found: unknown[] = [];
    for (const definition of definitions) {
      await answerInputs(definition, here, { mayAsk: true, signal });
      found.push([definition.scope, (await answerInputs(definition, there, { mayAsk: false, signal })).kind]);
    }
    assert.deepEqual(found, [
      ['user', 'complete'],
      ['remote', 'missing'],
      ['workspace', 'missing'],
      ['folder', 'missing'],
      ['discovered', 'missing'],
    ]);
  });
});
