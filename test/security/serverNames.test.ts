import assert from 'node:assert/strict';
import { readDefinitions } from '../../src/definitions/readDefinitions.ts';
import type { DefinitionSource } from '../../src/definitions/serverDefinition.ts';

const server = { command: 'x' };
const mine = (...names: string[]): DefinitionSource => ({ scope: 'user', value: serversOf(names), location: 'user settings' });
const theirs = (...names: string[]): DefinitionSource => ({
  scope: 'workspace',
  workspace: '/repo',
  value: serversOf(names),
  location: 'workspace settings',
});

function serversOf(names: readonly string[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, server]));
}

function labelsOf(...sources: DefinitionSource[]): readonly string[] {
  return readDefinitions(sources).definitions.map(({ scope, label }) => `${scope}: ${label}`);
}

describe('The label of a server cannot be taken:', () => {
  const places = ['github@user', 'github\uFF20user', 'github\uFE6Buser', ' github@user ', 'github@workspace~2', '@acme/github@user', 'x@'];
  for (const name of places) {
    it(`a workspace server is not called ${JSON.stringify(name)}`, () => {
      const { definitions, problems } = readDefinitions([theirs(name), mine('github')]);
      assert.deepEqual(
        definitions.map(({ label }) => label),
        ['github'],
      );
      assert.deepEqual(
        problems.map(({ severity, code }) => [severity, code]),
        [['error', 'definitions.nameWithPlace']],
      );
    });
  }

  const editors = ['editor', 'editor ', '\u00A0editor', 'editor\u3000', 'Editor', 'EDITOR', '\uFF45ditor', '\u{1D41E}ditor', 'édit\u00F6r'];
  const disguised = [
    '\u0435ditor',
    'edit\u043Er',
    'ed\u0131tor',
    '\u0435\u0501\u0456\u0442\u043E\u0433',
    '\u03B5ditor',
    'ed1tor',
    'edit0r',
  ];
  for (const name of [...editors, ...disguised]) {
    it(`nobody but the editor is called ${JSON.stringify(name)} (${Array.from(name, (letter) => letter.codePointAt(0)?.toString(16)).join(' ')})`, () => {
      const { definitions, problems } = readDefinitions([theirs(name)]);
      assert.deepEqual(definitions, []);
      assert.deepEqual(
        problems.map(({ severity, code }) => [severity, code]),
        [['error', 'definitions.reservedName']],
      );
    });
  }

  it('control, invisible and blank characters are no part of a name, at its ends neither', () => {
    const unseen = [
      '\0',
      '\t',
      '\n',
      '\u001B',
      '\u0085',
      '\u00AD',
      '\u200B',
      '\u202E',
      '\u2060',
      '\u2800',
      '\u3164',
      '\uE000',
      '\uFE0F',
      '\uFEFF',
    ];
    const more = ['\uD800', '\u{1D173}', '\u{E0041}', '\u{F0000}', '\u1680', '\u2028'];
    const names = [...unseen, ...more].flatMap((character) => [`github${character}`, `${character}github`, `git${character}hub`]);
    assert.deepEqual(labelsOf(mine('github'), theirs(...names)), ['user: github']);
  });

  it('spellings that look the same are the same name, and told apart by their place', () => {
    for (const name of ['github ', '\u00A0github', '\uFF47ithub', 'g\u{1D422}thub']) {
      assert.deepEqual(labelsOf(mine('github'), theirs(name)), ['user: github@user', 'workspace: github@workspace']);
    }
  });

  it('a word of several alphabets shows which letters are foreign, and is warned about', () => {
    const { definitions, problems } = readDefinitions([mine('github'), theirs('g\u0456thub', 'my-\u03BFther')]);
    assert.deepEqual(
      definitions.map(({ label }) => label),
      ['github', 'g⟨U+0456⟩thub', 'my-⟨U+03BF⟩ther'],
    );
    assert.deepEqual(
      problems.map(({ severity, code }) => [severity, code]),
      [
        ['warning', 'definitions.mixedScripts'],
        ['warning', 'definitions.mixedScripts'],
      ],
    );
  });

  it('a folder that a repository calls like a place of the person does not get its label', () => {
    for (const name of ['user', 'User', '\uFF55ser', ' user ', 'u\u200Bser', 'us\u0435r']) {
      const folder: DefinitionSource = { scope: 'folder', folder: { name, path: '/repo' }, value: { github: server }, location: 'folder' };
      const [label] = readDefinitions([folder, mine('github')]).definitions.map((definition) => definition.label);
      assert.match(label ?? '', /^github@(folder:user|u⟨U\+200B⟩ser|us⟨U\+0435⟩r)$/i);
    }
  });

  it('ordinary names in any language stay as they are', () => {
    const names = [
      'github',
      'My Server 2',
      '@acme/server',
      'сервер',
      'единый',
      'мой-github',
      'διακομιστής',
      '日本語server',
      '서버 API',
      'café',
      '⚙️ tools',
    ];
    assert.deepEqual(
      labelsOf(mine(...names)),
      names.map((name) => `user: ${name}`),
    );
    assert.deepEqual(readDefinitions([mine(...names)]).problems, []);
  });
});
