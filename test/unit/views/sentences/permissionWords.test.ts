import assert from 'node:assert/strict';
import type { Action, Answer } from '../../../../src/consent/consentModel.ts';
import { idOf, nameInId } from '../../../../src/definitions/serverIds.ts';
import { permissionWords } from '../../../../src/views/sentences/permissionWords.ts';
import { translating } from './otherLanguage.ts';

const fileServer = idOf({ scope: 'discovered', file: { path: '/w/.vscode/mcp.json', name: 'mcp.json' }, value: {}, location: '' }, 'a:b');
const given = (action: Action, subject: readonly string[], more: Partial<Answer> = {}): Answer => ({
  id: '1',
  principal: 'host',
  action,
  subject,
  answer: 'allow',
  scope: 'always',
  fingerprint: '',
  material: {},
  since: '2026-01-01T00:00:00Z',
  ...more,
});

describe('A remembered answer in words', () => {
  const words = (answer: Answer, isHere = false): string[] => {
    const { what, whose } = permissionWords(answer, (id) => ({ name: nameInId(id), isHere }), translating({}));
    return [what, whose];
  };

  it('names a server that is gone by its name and not by an id', () => {
    assert.deepEqual(words(given('startServer', ['server', fileServer])), [
      'Allowed: start the server “a:b” (not configured here)',
      'always',
    ]);
    assert.deepEqual(['user:notes', 'builtIn:editor', fileServer, 'workspace:abc-_:x y'].map(nameInId), ['notes', 'editor', 'a:b', 'x y']);
  });

  it('says for whom it holds in words of people, and never shows the name of a principal', () => {
    const call = given('callTool', ['server', 'user:demo', 'tool', 'echo'], { answer: 'deny', scope: 'workspace' });
    assert.deepEqual(
      (['chat', 'palette', 'command', 'client:window-1'] as const).map((principal) => words({ ...call, principal }, true)),
      [
        ['Denied: call “echo” of the server “demo”', 'for the chat · this workspace'],
        ['Denied: call “echo” of the server “demo”', 'for Run Tool · this workspace'],
        ['Denied: call “echo” of the server “demo”', 'for key bindings, tasks and extensions · this workspace'],
        ['Denied: call “echo” of the server “demo”', 'this workspace'],
      ],
    );
  });
});
