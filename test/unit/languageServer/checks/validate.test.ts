import assert from 'node:assert/strict';
import type { DocumentKind } from '../../../../src/languageServer/documents.ts';
import { sentenceOf } from '../../../../src/languageServer/problem.ts';
import { validate } from '../../../../src/languageServer/checks/validate.ts';

/** Each problem as "severity code text-it-stands-on". */
function problemsIn(text: string, kind: DocumentKind = 'mcpJson'): string[] {
  return validate(text, kind).map(({ severity, code, start, end }) => `${severity} ${code} ${text.slice(start, end)}`);
}

function problemsOf(definition: unknown, kind: DocumentKind = 'settings'): string[] {
  const servers = { demo: definition };
  const document = kind === 'settings' ? { 'duplex.mcpServers': servers } : kind === 'vscodeMcp' ? { servers } : { mcpServers: servers };
  return problemsIn(JSON.stringify(document), kind);
}

function sentencesOf(definition: unknown): string[] {
  return validate(JSON.stringify({ 'duplex.mcpServers': { demo: definition } }), 'settings').map(sentenceOf);
}

describe('A configuration file', () => {
  it('has no problems when its definitions are in order', () => {
    const text = `{
      // comments and trailing commas are fine
      "editor.fontSize": 14,
      "duplex.mcpServers": {
        "local": { "type": "stdio", "command": "npx", "args": ["-y", "server@1.2.3"], "env": { "MODE": "x", "PORT": 1, "OFF": null },
          "envFile": ".env", "cwd": "\${workspaceFolder}", "timeout": 60000, "tools": { "include": ["a*"], "exclude": [] }, },
        "remote": { "url": "https://example.com/mcp", "type": "sse", "disabled": true, "headers": { "X-Trace": "1" },
          "tls": { "ca": "/ca.pem" }, "auth": { "clientId": "me", "clientSecret": "\${env:SECRET}", "scopes": ["a"] } },
        "socket": { "url": "wss://example.com/ws", "type": "ws" },
      },
    }`;
    assert.deepEqual(problemsIn(text, 'settings'), []);
  });

  it('says what a box of a server may be, and leaves VS Code’s own to VS Code', () => {
    const boxed = (sandbox: unknown): unknown => ({ command: 'x', sandbox });
    assert.deepEqual(problemsOf(boxed(true)), []);
    assert.deepEqual(problemsOf(boxed({ read: ['~/x'], write: ['${workspaceFolder}'], network: ['*.example.com', 'localhost:3000'] })), []);
    assert.deepEqual(sentencesOf(boxed('yes')), ['“sandbox” must be true, or an object with read, write and network.']);
    assert.deepEqual(problemsOf(boxed({ read: ['${nowhere}'] })), ['error unknownVariable ${nowhere}']);
    assert.equal(problemsOf(boxed({ network: ['https://example.com/path'] })).length, 1);
    assert.equal(problemsOf(boxed({ reads: [] })).length, 1);
    const foreign = { command: 'x', sandboxEnabled: true, sandbox: { network: { allowedDomains: [] } } };
    assert.deepEqual(problemsOf(foreign, 'vscodeMcp'), []);
    assert.deepEqual(problemsOf({ url: 'https://example.com', sandbox: true }), ['error misplacedKey "sandbox"']);
  });

  it('is read at the place its kind has for servers, and nowhere else', () => {
    const bad = '{ "demo": {} }';
    const wrong = ['error neitherCommandNorUrl "demo"'];
    assert.deepEqual(problemsIn(`{ "duplex.mcpServers": ${bad} }`, 'settings'), wrong);
    assert.deepEqual(problemsIn(`{ "settings": { "duplex.mcpServers": ${bad} } }`, 'workspaceFile'), wrong);
    assert.deepEqual(problemsIn(`{ "servers": ${bad} }`, 'vscodeMcp'), wrong);
    assert.deepEqual(problemsIn(`{ "mcpServers": ${bad} }`, 'mcpJson'), wrong);
    assert.deepEqual(problemsIn(`{ "mcpServers": ${bad} }`, 'claudeDesktop'), wrong);
    assert.deepEqual(problemsIn(`{ "mcpServers": ${bad}, "duplex.mcpServers": {} }`, 'settings'), []);
  });

  it('may be broken, empty or half typed without harm', () => {
    for (const text of ['', '{', '[]', 'null', '{ "mcpServers": }', '{ "mcpServers": { "a": { "command"', '{ "mcpServers": { "a" } }']) {
      assert.doesNotThrow(() => validate(text, 'mcpJson'), text);
    }
    assert.deepEqual(problemsIn('{ "mcpServers": { "a": { "command": "x", "ulr": 1'), ['warning foreignKey "ulr"']);
  });

  it('holds an object of servers, and each server is an object', () => {
    assert.deepEqual(problemsIn('{ "mcpServers": [] }'), ['error wrongType []']);
    assert.deepEqual(problemsIn('{ "mcpServers": { "a": "npx" } }'), ['error wrongType "npx"']);
  });

  it('is read through a wrapper pasted from another host', () => {
    const text = '{ "duplex.mcpServers": { "mcpServers": { "demo": {} }, "other": { "command": "x" } } }';
    assert.deepEqual(problemsIn(text, 'settings'), ['error neitherCommandNorUrl "demo"']);
    assert.deepEqual(problemsIn('{ "duplex.mcpServers": { "mcpServers": { "command": "x" } } }', 'settings'), []);
  });
});

describe('The name of a server', () => {
  it('is not used twice in one object', () => {
    const server = '{ "command": "x" }';
    const text = `{ "mcpServers": { "a": ${server}, "b": ${server}, "a": ${server} } }`;
    assert.deepEqual(problemsIn(text), ['error duplicateName "a"']);
    assert.equal(validate(text, 'mcpJson')[0]?.start, text.lastIndexOf('"a"'));
  });

  it('is not the one of the editor’s own server', () => {
    const text = '{ "duplex.mcpServers": { "editor": { "command": "x" } } }';
    assert.deepEqual(problemsIn(text, 'settings'), ['error reservedName "editor"']);
    assert.deepEqual(problemsIn('{ "servers": { "editor": { "command": "x" } } }', 'vscodeMcp'), ['warning reservedName "editor"']);
  });

  it('is judged as the host judges it: one spelling for what looks the same, no place, no other alphabet in disguise', () => {
    const named = (...names: string[]): string =>
      `{ "duplex.mcpServers": { ${names.map((name) => `"${name}": { "command": "x" }`).join(', ')} } }`;
    assert.deepEqual(problemsIn(named('\u0435ditor'), 'settings'), ['error reservedName "\u0435ditor"']);
    assert.deepEqual(problemsIn(named('github@user'), 'settings'), ['error nameWithPlace "github@user"']);
    assert.deepEqual(problemsIn(named('g\u0456thub'), 'settings'), ['warning mixedScripts "g\u0456thub"']);
    assert.deepEqual(problemsIn(named('demo', 'demo '), 'settings'), ['error duplicateName "demo "']);
  });

  it('is visible and not too long', () => {
    for (const name of ['', ' ', 'a\u200Bb', 'a\nb', 'x'.repeat(101)]) {
      const text = JSON.stringify({ 'duplex.mcpServers': { [name]: { command: 'x' } } });
      assert.deepEqual(problemsIn(text, 'settings'), [`error badName ${JSON.stringify(name)}`]);
    }
  });
});

describe('A definition', () => {
  it('has either a command or a url', () => {
    assert.deepEqual(problemsOf({}), ['error neitherCommandNorUrl "demo"']);
    assert.deepEqual(problemsOf({ command: 'x', url: 'https://example.com' }), ['error commandAndUrl "demo"']);
  });

  it('has no unknown keys, inner ones included', () => {
    assert.deepEqual(problemsOf({ command: 'x', comand: 'y', tools: { only: [] } }), [
      'error unknownKey "comand"',
      'error unknownKey "only"',
    ]);
    assert.deepEqual(problemsOf({ autoApprove: [], args: [] }), ['error neitherCommandNorUrl "demo"', 'error unknownKey "autoApprove"']);
  });

  it('has no keys of the other kind', () => {
    assert.deepEqual(sentencesOf({ command: 'x', headers: {} }), ['“headers” has no meaning for a server with a command.']);
    assert.deepEqual(sentencesOf({ url: 'https://a.example', args: [] }), ['“args” has no meaning for a server with a url.']);
  });

  it('of another host may have that host’s keys, and others only make a warning', () => {
    assert.deepEqual(problemsOf({ command: 'x', dev: {}, what: 1 }, 'vscodeMcp'), ['warning foreignKey "what"']);
    assert.deepEqual(problemsOf({ command: 'x', dev: {} }, 'mcpJson'), ['warning foreignKey "dev"']);
  });

  it('names a debugger that there is', () => {
    assert.deepEqual(sentencesOf({ command: 'node', dev: { debug: 'python' } }).length, 0);
    assert.deepEqual(sentencesOf({ command: 'ruby', dev: { debug: 'ruby' } }), ['“dev.debug” must be one of "node", "python".']);
    assert.deepEqual(problemsOf({ command: 'node', dev: { debug: 'ruby' } }), ['error wrongValue "ruby"']);
  });

  it('has values of the right types', () => {
    const definition = { command: 5, args: ['a', 1], env: { A: [] }, disabled: 'yes', timeout: 5, tools: [] };
    assert.deepEqual(sentencesOf(definition), [
      '“command” must be a text.',
      '“args.1” must be a text.',
      '“env.A” must be a text, a number, true, false or null.',
      '“disabled” must be true or false.',
      '“timeout” is not valid: the least is 1000.',
      '“tools” must be an object.',
    ]);
    assert.deepEqual(sentencesOf({ command: '', timeout: 1000.5 }), [
      '“command” is not valid: it is empty.',
      '“timeout” must be a whole number.',
    ]);
    assert.deepEqual(sentencesOf({ command: 'x', type: 'http' }), ['“type” must be one of "stdio".']);
    assert.deepEqual(sentencesOf({ url: 'https://a.example', type: 'grpc' }), ['“type” must be one of "http", "sse", "ws".']);
  });
});

describe('The url of a definition', () => {
  const problemsOfUrl = (url: string, type?: string): string[] => problemsOf({ url, type }).map((problem) => problem.split(' ')[1] ?? '');

  it('is complete', () => {
    for (const url of ['example.com/mcp', '/mcp', 'https://', 'http://a b', ' https://a.example']) {
      assert.deepEqual(problemsOfUrl(url), ['badUrl'], url);
    }
  });

  it('has a scheme that fits its type', () => {
    assert.deepEqual(problemsOfUrl('ftp://a.example'), ['wrongScheme']);
    assert.deepEqual(problemsOfUrl('wss://a.example'), ['wrongScheme']);
    assert.deepEqual(problemsOfUrl('https://a.example', 'ws'), ['wrongScheme']);
    assert.deepEqual(problemsOfUrl('wss://a.example', 'ws'), []);
  });

  it('is encrypted unless it stays on this machine', () => {
    for (const host of ['localhost', 'LOCALHOST:80', 'localhost.', '127.0.0.1:1', '127.9.9.9', '[::1]:8080', '2130706433']) {
      assert.deepEqual(problemsOfUrl(`http://${host}/mcp`), [], host);
    }
    for (const host of ['a.example', '10.0.0.1', '127.0.0.1.a.example', 'localhost.a.example', 'a.localhost', '127.0.0.1@a.example']) {
      assert.deepEqual(problemsOfUrl(`http://${host}/mcp`), ['plainHttp'], host);
    }
    assert.deepEqual(problemsOfUrl('ws://a.example', 'ws'), ['plainHttp']);
  });

  it('may hold variables', () => {
    for (const url of ['${env:URL}', 'https://${env:HOST}/mcp', 'http://${env:HOST}:1/mcp', 'http://localhost:${env:PORT}/mcp']) {
      assert.deepEqual(problemsOfUrl(url), [], url);
    }
    assert.deepEqual(problemsOfUrl('http://a.example:${env:PORT}/${env:PATH}'), ['plainHttp']);
  });
});

describe('A secret in plain text', () => {
  it('is warned about in environment, headers and client secret', () => {
    assert.deepEqual(problemsOf({ command: 'x', env: { GITHUB_TOKEN: 'ghp_1', OTHER: 'value' } }), ['warning secretInPlainText "ghp_1"']);
    const remote = { url: 'https://a.example', headers: { Authorization: 'Bearer abc', 'X-Api-Key': 'k' }, auth: { clientSecret: 's' } };
    assert.deepEqual(problemsOf(remote), [
      'warning secretInPlainText "Bearer abc"',
      'warning secretInPlainText "k"',
      'warning secretInPlainText "s"',
    ]);
    assert.deepEqual(sentencesOf({ url: 'https://a.example', headers: { 'X-Api-Key': 'k' } }), [
      '“X-Api-Key” looks like a secret in plain text. Refer to a variable instead, such as ${env:X_API_KEY}.',
    ]);
  });

  it('is not seen in a variable, a number, an empty value or the place of a secret', () => {
    const env = { TOKEN: '${env:TOKEN}', MY_KEY: 'a-${env:KEY}', MAX_TOKENS: '8192', SECRET: '', SSH_KEY_FILE: '/k', USE_KEY: true };
    assert.deepEqual(problemsOf({ command: 'x', env }), []);
  });
});

describe('A variable', () => {
  it('that nobody can expand is marked itself, in every text where one is expanded', () => {
    const wrong = '${workspceFolder}';
    const local = {
      command: `${wrong}/x`,
      args: ['${userHome}', wrong],
      env: { A: `${wrong}:${wrong}`, B: 1 },
      cwd: wrong,
      envFile: `a${wrong}`,
    };
    assert.deepEqual(problemsOf(local), Array(5).fill(`error unknownVariable ${wrong}`));
    const remote = { url: `https://a.example/${wrong}`, headers: { A: wrong }, auth: { clientId: wrong }, tls: { ca: wrong } };
    assert.deepEqual(problemsOf(remote), Array(4).fill(`error unknownVariable ${wrong}`));
    assert.deepEqual(problemsOf({ command: 'x', args: [wrong] }, 'vscodeMcp'), [`warning unknownVariable ${wrong}`]);
    assert.deepEqual(problemsIn('{ "mcpServers": { "a": { "command": "\\u0024{home}" } } }'), []);
    const escaped = '{ "duplex.mcpServers": { "a": { "command": "\\u0024{home}" } } }';
    assert.deepEqual(problemsIn(escaped, 'settings'), ['error unknownVariable "\\u0024{home}"']);
    assert.deepEqual(sentencesOf({ command: '${home}' }), [
      '“${home}” is not a variable that Duplex knows. It knows ${workspaceFolder}, ${workspaceFolder:NAME}, ${userHome}, ${env:NAME}, ${input:ID}.',
    ]);
  });

  it('that is known is in order, a plain name in .mcp.json included, with or without a default', () => {
    const args = ['${workspaceFolder}', '${workspaceFolder:app}', '${userHome}', '${env:A}', '$HOME', '${', 'a}'];
    assert.deepEqual(problemsOf({ command: 'x', args }), []);
    assert.deepEqual(problemsOf({ command: 'x', args: [...args, '${HOME}'] }, 'mcpJson'), []);
    assert.deepEqual(problemsOf({ command: 'x', args: ['${A:-b}', '${A:-}'] }, 'mcpJson'), []);
    assert.deepEqual(problemsOf({ command: 'x', args: ['${A:-b}'] }, 'vscodeMcp'), ['warning unknownVariable ${A:-b}']);
  });

  it('may be half typed or of a wrong type without harm', () => {
    for (const definition of [
      { command: 1, args: '${x}' },
      { command: 'x', env: '${x}', auth: null, tls: ['${x}'] },
    ]) {
      assert.ok(!problemsOf(definition).some((problem) => problem.includes('unknownVariable')));
    }
  });
});

describe('An input', () => {
  const token = { type: 'promptString', id: 'token', password: true };
  const server = { a: { command: 'x', args: ['-t=${input:token}', '${input:tokn}'] } };
  const missing = 'unknownInput ${input:tokn}';

  it('has to be defined, and usable, in the same file', () => {
    const settings = { 'duplex.mcpServers': server, 'duplex.inputs': [token, { type: 'command', id: 'tokn' }] };
    assert.deepEqual(problemsIn(JSON.stringify(settings), 'settings'), [`error ${missing}`]);
    assert.deepEqual(problemsIn(JSON.stringify({ settings }), 'workspaceFile'), [`error ${missing}`]);
    assert.deepEqual(problemsIn(JSON.stringify({ servers: server, inputs: [token] }), 'vscodeMcp'), [`warning ${missing}`]);
    const foreign = JSON.stringify({ mcpServers: server, inputs: [token] });
    assert.deepEqual(problemsIn(foreign, 'mcpJson'), ['warning unknownInput ${input:token}', `warning ${missing}`]);
  });

  it('may not decide which files are read', () => {
    const settings = { 'duplex.mcpServers': { a: { command: 'x', cwd: '${input:token}' } }, 'duplex.inputs': [token] };
    assert.deepEqual(problemsIn(JSON.stringify(settings), 'settings'), ['error inputNotHere ${input:token}']);
  });
});

describe('The sentence of a problem', () => {
  it('hides nothing of a name and is not pushed out of view by one', () => {
    const sentence = sentenceOf({ code: 'duplicateName', args: { name: `a\u202E\n${'x'.repeat(500)}` } });
    assert.match(sentence, /^The name “a⟨U\+202E⟩ x{80,100}…” is already used above/);
  });
});
