import assert from 'node:assert/strict';
import type { Action, RememberedAnswer } from '../../../../src/consent/consentModel.ts';
import { idOf, nameInId } from '../../../../src/definitions/serverNames.ts';
import { permissionWords } from '../../../../src/views/permissions/permissionRows.ts';
import { translating } from '../sentences/otherLanguage.ts';

const fileServer = idOf({ scope: 'discovered', file: { path: '/w/.vscode/mcp.json', name: 'mcp.json' }, value: {}, location: '' }, 'a:b');
const given = (action: Action, subject: readonly string[], more: Partial<RememberedAnswer> = {}): RememberedAnswer => ({
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
  const words = (answer: RememberedAnswer, isHere = false): ReturnType<typeof permissionWords> =>
    permissionWords(answer, (id) => ({ name: nameInId(id), isHere }), isHere, translating({}));

  it('names a server that is gone by its name and not by an id', () => {
    assert.deepEqual(words(given('startServer', ['server', fileServer])), {
      what: 'start the server “a:b” (not configured here)',
      whose: 'Duplex',
      where: 'Everywhere',
      subject: 'a:b',
    });
    assert.deepEqual(['user:notes', 'builtIn:editor', fileServer, 'workspace:abc-_:x y'].map(nameInId), ['notes', 'editor', 'a:b', 'x y']);
  });

  it('says for whom and where it holds in words of people', () => {
    const place = { scope: 'workspace', workspace: 'file:///projects/my%20shop' } as const;
    const call = given('callTool', ['server', 'user:demo', 'tool', 'echo'], { answer: 'deny', ...place });
    assert.deepEqual(
      (['chat', 'palette', 'task', 'command', 'traffic', 'client:window-1', 'client:client-1'] as const).map(
        (principal) => words({ ...call, principal }, true).whose,
      ),
      ['Chat', 'Run Tool', 'Tasks', 'A command of the editor', 'Send again', 'Client window-1', 'client-1'],
    );
    assert.deepEqual(words(call, true), {
      what: 'call “echo” of the server “demo”',
      whose: 'Duplex',
      where: 'This workspace',
      subject: 'demo',
    });
    assert.equal(words(call).where, 'The workspace file:///projects/my shop');
    assert.equal(words({ ...call, scope: 'session' }, true).where, 'This session');
  });

  it('says what a client was given of an offered server, without the id of its session', () => {
    const of = (...what: readonly string[]): string => words(given('callTool', ['server', 'user:demo', ...what]), true).what;
    assert.deepEqual(
      [of('prompt', 'greet', 'session', 's-1'), of('template', 'demo://{id}'), of('resources'), of('tool', 'echo', 'session', 's-1')],
      [
        'get the prompt “greet” of the server “demo”',
        'read addresses of the pattern “demo://{id}” at the server “demo”',
        'read what the server “demo” lists',
        'call “echo” of the server “demo”',
      ],
    );
  });

  it('says which calls a rule allows, and what it leaves free', () => {
    const by = (rule: RememberedAnswer['rule']): string =>
      words(given('callTool', ['server', 'user:files', 'tool', 'read'], { answer: 'allowWhen', rule }), true).what;
    const limits =
      'whatever its other arguments are; not through links, and not for a second path, a list, hidden or sensitive files, or server configuration';
    assert.deepEqual(
      [
        by({ kind: 'exactArguments', arguments: '{"path":"/w/a"}' }),
        by({ kind: 'pathInside', folder: '/w', realFolder: '/w' }),
        by({ kind: 'pathInside', folder: '/w', realFolder: '/disk/w' }),
      ],
      [
        'call “read” of the server “files” with exactly these arguments: {"path":"/w/a"}',
        `call “read” of the server “files” when “path” is inside /w, ${limits}`,
        `call “read” of the server “files” when “path” is inside /w (/disk/w), ${limits}`,
      ],
    );
  });

  it('names the task that was allowed, and no task where all are refused', () => {
    const ofTask = (answer: RememberedAnswer['answer']): string =>
      words(given('callTool', ['server', 'user:demo', 'tool', 'echo', 'task', 'build'], { answer }), true).what;
    assert.deepEqual(
      [ofTask('allow'), ofTask('deny')],
      ['call “echo” of the server “demo” in the task “build”, with the arguments that it had then', 'call “echo” of the server “demo”'],
    );
  });

  it('says when it is about a whole server, and when about all that only looks', () => {
    assert.equal(words(given('callTool', ['server', 'user:demo'], { answer: 'deny' }), true).what, 'call any tool of the server “demo”');
    const see = words(given('seeEditor', ['server', 'builtIn:editor', 'see'], { principal: 'chat' }), true);
    assert.deepEqual(
      [see.what, see.whose, see.subject],
      ['read the files, problems, symbols and test results of the workspace', 'Chat', 'editor'],
    );
    const seeFor = (destination: string, answer: RememberedAnswer['answer'] = 'allow'): string =>
      words(given('seeEditor', ['server', 'builtIn:editor', 'see'], { material: { destination }, answer }), true).what;
    assert.deepEqual(
      [seeFor(''), seeFor('https://model.example'), seeFor('', 'deny')],
      [
        'read the files, problems, symbols and test results of the workspace for the offline guide',
        'read the files, problems, symbols and test results of the workspace for https://model.example',
        'read the files, problems, symbols and test results of the workspace',
      ],
    );
  });

  it('says which resource or prompt may go where, and that a refusal holds everywhere', () => {
    const content = (kind: string, more: Partial<RememberedAnswer>): string =>
      words(given('sendContent', ['server', 'user:demo', kind, 'x'], more), true).what;
    assert.deepEqual(
      [
        content('resource', { material: { destination: 'https://api.anthropic.com' } }),
        content('prompt', { material: { destination: '' } }),
        content('resource', { answer: 'deny' }),
      ],
      [
        'send the resource “x” of the server “demo” to https://api.anthropic.com',
        'send the prompt “x” of the server “demo” to the offline guide',
        'send the resource “x” of the server “demo” to any model',
      ],
    );
    const material = { destination: 'https://api.anthropic.com', text: 'x' };
    assert.equal(
      words(given('sendContent', ['instructions', 'file:///projects/shop/AGENTS.md', 'AGENTS.md'], { material }), true).what,
      'give the instructions of the project in file:///projects/shop/AGENTS.md to https://api.anthropic.com',
    );
  });
});
