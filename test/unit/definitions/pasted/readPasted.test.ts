import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import type { JsonObject } from '../../../../src/base/json.ts';
import { readPasted } from '../../../../src/definitions/pasted/readPasted.ts';
import { ownTime } from '../../../support/longestBlock.ts';

type Expected = JsonObject | { readonly [name: string]: JsonObject };

/** The servers by name; one without a name stands under an empty one. */
function serversOf(text: string): Expected | string {
  const pasted = readPasted(text);
  if (pasted.kind === 'servers') {
    return Object.fromEntries(pasted.servers.map(({ name = '', definition }) => [name, definition]));
  }
  return pasted.kind === 'word' ? 'word' : `${pasted.problem.code}: ${pasted.problem.message}`;
}

const memory = { command: 'npx', args: ['-y', 'server-memory'] };
const docs = { url: 'https://docs.example/mcp' };
const local = (command: string, args: readonly string[] = [], env?: JsonObject): JsonObject => ({
  command,
  ...(args.length === 0 ? {} : { args }),
  ...(env === undefined ? {} : { env }),
});

const readme = readFileSync(path.resolve(import.meta.dirname, '../../../../README.md'), 'utf8');
const readmeExample = /```jsonc\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';

describe('What people have in hand when they add a server', () => {
  const table: readonly (readonly [group: string, rows: readonly (readonly [text: string, expected: Expected])[]])[] = [
    [
      'a command line',
      [
        ['npx -y @modelcontextprotocol/server-memory', { '': local('npx', ['-y', '@modelcontextprotocol/server-memory']) }],
        ['  uvx mcp-server-git --repository .  ', { '': local('uvx', ['mcp-server-git', '--repository', '.']) }],
        ['TOKEN=abc npx -y foo', { '': local('npx', ['-y', 'foo'], { TOKEN: 'abc' }) }],
        [`A=1 B='two words' C="x y" node s.mjs`, { '': local('node', ['s.mjs'], { A: '1', B: 'two words', C: 'x y' }) }],
        ['env TOKEN=abc node s.mjs', { '': local('node', ['s.mjs'], { TOKEN: 'abc' }) }],
        ['env -u X node s.mjs', { '': local('env', ['-u', 'X', 'node', 's.mjs']) }],
        ['EMPTY= node s.mjs a=b', { '': local('node', ['s.mjs', 'a=b'], { EMPTY: '' }) }],
        [`node "a b.mjs" 'c "d"' e\\ f ""`, { '': local('node', ['a b.mjs', 'c "d"', 'e f', '']) }],
        [`"C:\\Program Files\\x.exe" C:\\new\\table`, { '': local('C:\\Program Files\\x.exe', ['C:\\new\\table']) }],
        [`C:\\tools\\server.exe --root D:\\data`, { '': local('C:\\tools\\server.exe', ['--root', 'D:\\data']) }],
        ['$ npx -y foo', { '': local('npx', ['-y', 'foo']) }],
        ['```sh\nnpx -y foo\n```', { '': local('npx', ['-y', 'foo']) }],
        ['`npx -y foo`', { '': local('npx', ['-y', 'foo']) }],
        ['npx -y foo \\\n  --root /tmp', { '': local('npx', ['-y', 'foo', '--root', '/tmp']) }],
        ['npx -y foo \\   --root /tmp', { '': local('npx', ['-y', 'foo', '--root', '/tmp']) }],
        ['docker run -i --rm -v $(pwd):/work img', { '': local('docker', ['run', '-i', '--rm', '-v', '${workspaceFolder}:/work', 'img']) }],
        ['node $HOME/s.mjs ~/x ~user', { '': local('node', ['${userHome}/s.mjs', '${userHome}/x', '~user']) }],
        ['T=$API_KEY node s.mjs "${OTHER:-none}"', { '': local('node', ['s.mjs', 'none'], { T: '${env:API_KEY}' }) }],
        [`node s.mjs '$HOME' "\\$X" \\$Y`, { '': local('node', ['s.mjs', '$HOME', '$X', '$Y']) }],
        [
          'node "${workspaceFolder}/s.mjs" ${input:x} ${env:Y}',
          { '': local('node', ['${workspaceFolder}/s.mjs', '${input:x}', '${env:Y}']) },
        ],
        ['node %APPDATA%\\s.js', { '': local('node', ['${env:APPDATA}\\s.js']) }],
        ['./dist/server.js', { '': local('node', ['./dist/server.js']) }],
        ['/opt/bin/server', { '': local('/opt/bin/server') }],
        ['server.exe', { '': local('server.exe') }],
      ],
    ],
    [
      'a package',
      [
        ['@modelcontextprotocol/server-everything', { '': local('npx', ['-y', '@modelcontextprotocol/server-everything']) }],
        ['@scope/name@1.2.3', { '': local('npx', ['-y', '@scope/name@1.2.3']) }],
        ['npm:some-server', { '': local('npx', ['-y', 'some-server']) }],
        ['pypi:some-server', { '': local('uvx', ['some-server']) }],
        ['uvx mcp-server-git', { '': local('uvx', ['mcp-server-git']) }],
        ['npm install -g @scope/name', { '': local('npx', ['-y', '@scope/name']) }],
        ['npm i some-server', { '': local('npx', ['-y', 'some-server']) }],
        ['pip install mcp-server-git', { '': local('uvx', ['mcp-server-git']) }],
        ['uv tool install mcp-server-git', { '': local('uvx', ['mcp-server-git']) }],
        ['https://www.npmjs.com/package/@scope/name', { '': local('npx', ['-y', '@scope/name']) }],
        ['https://pypi.org/project/mcp-server-git/', { '': local('uvx', ['mcp-server-git']) }],
      ],
    ],
    [
      'an address',
      [
        ['https://docs.example/mcp', { '': docs }],
        ['ws://127.0.0.1:3000/ws', { '': { url: 'ws://127.0.0.1:3000/ws' } }],
        ['localhost:3000/mcp', { '': { url: 'http://localhost:3000/mcp' } }],
        ['mcp.linear.app/sse', { '': { url: 'https://mcp.linear.app/sse' } }],
      ],
    ],
    [
      'claude mcp add',
      [
        ['claude mcp add memory npx server-memory', { memory: local('npx', ['server-memory']) }],
        ['claude mcp add memory -- npx -y server-memory', { memory }],
        ['claude mcp add memory npx -y server-memory', { memory }],
        ['claude mcp add x -e A=1 -e B=2 -- node s.mjs -e C', { x: local('node', ['s.mjs', '-e', 'C'], { A: '1', B: '2' }) }],
        ['claude mcp add --env A=1 B=2 --transport stdio x -- node s', { x: local('node', ['s'], { A: '1', B: '2' }) }],
        ['claude mcp add --env A=1 x -- node s', { x: local('node', ['s'], { A: '1' }) }],
        ['claude mcp add -t http docs https://docs.example/mcp', { docs: { type: 'http', ...docs } }],
        ['claude mcp add --transport=sse docs https://docs.example/mcp', { docs: { type: 'sse', ...docs } }],
        ['claude mcp add docs https://docs.example/mcp', { docs }],
        [
          `claude mcp add --transport http docs https://docs.example/mcp --header "Authorization: Bearer abc" -H 'X-Id: 7'`,
          { docs: { type: 'http', ...docs, headers: { Authorization: 'Bearer abc', 'X-Id': '7' } } },
        ],
        [
          `claude mcp add -H "A: 1" "B: 2" -t http docs https://docs.example/mcp`,
          { docs: { type: 'http', ...docs, headers: { A: '1', B: '2' } } },
        ],
        [
          'claude mcp add -t http --client-id abc --client-secret docs https://docs.example/mcp',
          { docs: { type: 'http', ...docs, auth: { clientId: 'abc' } } },
        ],
        ['claude mcp add x -eA=1 -- node s', { x: local('node', ['s'], { A: '1' }) }],
        ['A=1 claude mcp add x -- node s', { x: local('node', ['s'], { A: '1' }) }],
        [`claude mcp add-json memory '{"type":"stdio","command":"npx","args":["-y","server-memory"]}'`, { memory }],
        [`claude mcp add-json -s user docs '{"type":"http","url":"https://docs.example/mcp"}'`, { docs: { type: 'http', ...docs } }],
        ['codex mcp add docs --url https://docs.example/mcp', { docs }],
        ['gemini mcp add -s project memory npx -y server-memory', { memory }],
        ['claude mcp add constructor -- node s', { constructor: local('node', ['s']) }],
      ],
    ],
    [
      'code --add-mcp',
      [
        [`code --add-mcp '{"name":"memory","command":"npx","args":["-y","server-memory"]}'`, { memory }],
        [`code --add-mcp "{\\"name\\":\\"memory\\",\\"command\\":\\"npx\\",\\"args\\":[\\"-y\\",\\"server-memory\\"]}"`, { memory }],
        [`code-insiders --add-mcp='{"name":"docs","url":"https://docs.example/mcp"}'`, { docs }],
        [
          `code --add-mcp '{"name":"docs","url":"https://docs.example/mcp"}' --add-mcp '{"name":"memory","command":"npx","args":["-y","server-memory"]}'`,
          { docs, memory },
        ],
        [`vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'memory', ...memory }))}`, { memory }],
        [`https://insiders.vscode.dev/redirect/mcp/install?name=memory&config=${encodeURIComponent(JSON.stringify(memory))}`, { memory }],
        [
          `cursor://anysphere.cursor-deeplink/mcp/install?name=memory&config=${Buffer.from(JSON.stringify(memory)).toString('base64')}`,
          { memory },
        ],
      ],
    ],
    [
      'JSON',
      [
        [JSON.stringify({ memory, docs }), { memory, docs }],
        [JSON.stringify({ mcpServers: { memory, docs } }), { memory, docs }],
        [JSON.stringify({ servers: { memory, docs }, inputs: [] }), { memory, docs }],
        [JSON.stringify({ mcp: { servers: { memory } } }), { memory }],
        [JSON.stringify({ context_servers: { memory: { source: 'custom', ...memory } } }), { memory }],
        [
          JSON.stringify({ context_servers: { memory: { command: { path: 'npx', args: ['-y', 'server-memory'], env: { A: '1' } } } } }),
          { memory: { ...memory, env: { A: '1' } } },
        ],
        [JSON.stringify({ 'duplex.mcpServers': { memory, docs } }), { memory, docs }],
        [JSON.stringify({ 'amp.mcpServers': { memory } }), { memory }],
        [JSON.stringify(memory), { '': memory }],
        [JSON.stringify({ name: 'memory', ...memory }), { memory }],
        [`"memory": ${JSON.stringify(memory)}`, { memory }],
        [`"memory": ${JSON.stringify(memory)}, "docs": ${JSON.stringify(docs)},`, { memory, docs }],
        [`"mcpServers": {"memory": ${JSON.stringify(memory)}}`, { memory }],
        [`{\n  // two\n  "memory": ${JSON.stringify(memory)}, /* and */\n  "docs": ${JSON.stringify(docs)},\n}`, { memory, docs }],
        [`{ // two "memory": ${JSON.stringify(memory)}, // more   "docs": ${JSON.stringify(docs)}, }`, { memory, docs }],
        ['```json\n{"docs": {"url": "https://docs.example/mcp"}}\n```', { docs }],
        ['{"docs": {"serverUrl": "https://docs.example/mcp"}}', { docs }],
        [
          '{"docs": {"httpUrl": "https://docs.example/mcp", "timeout": 5000, "trust": true}}',
          { docs: { ...docs, type: 'http', timeout: 5_000 } },
        ],
        ['{"docs": {"type": "streamable-http", "url": "https://docs.example/mcp"}}', { docs: { ...docs, type: 'http' } }],
        [
          '{"x": {"type": "local", "command": ["bun", "x.ts"], "environment": {"A": "${A}"}, "enabled": false}}',
          { x: { ...local('bun', ['x.ts'], { A: '${env:A}' }), disabled: true } },
        ],
        [
          '{"x": {"command": "x", "args": ["--port", 3], "timeout": 60, "tools": ["*"]}}',
          { x: { ...local('x', ['--port', '3']), timeout: 60_000 } },
        ],
        ['{"x": {"command": "x", "args": ["${workspaceFolder}", "${B:-b}"]}}', { x: local('x', ['${workspaceFolder}', 'b']) }],
      ],
    ],
    [
      "README's own example",
      [readmeExample, readmeExample.replace(/\s*\n\s*/g, ' ')].map((text) => [
        text,
        { memory: local('npx', ['-y', '@modelcontextprotocol/server-memory']) },
      ]),
    ],
  ];
  for (const [group, rows] of table) {
    for (const [text, expected] of rows) {
      it(`is read as ${group}: ${text.slice(0, 100)}`, () => {
        assert.deepEqual(serversOf(text), expected);
      });
    }
  }

  it('may be one word, which is a package of npm or Python, or a program', () => {
    const pasted = readPasted('mcp-server-git');
    assert.deepEqual(pasted.kind === 'word' && Object.values(pasted.readings).map(({ definition }) => definition), [
      local('npx', ['-y', 'mcp-server-git']),
      local('uvx', ['mcp-server-git']),
      local('mcp-server-git'),
    ]);
  });

  it('names a place only where the command does', () => {
    const placeOf = (text: string): unknown => {
      const pasted = readPasted(text);
      return pasted.kind === 'servers' ? pasted.place : pasted.kind;
    };
    assert.deepEqual(
      ['-s user', '--scope project', '-s local', ''].map((scope) => placeOf(`claude mcp add ${scope} x -- node s`)),
      ['user', 'workspace', undefined, undefined],
    );
  });

  it('says what of it means nothing here, and never takes over what would allow calls unasked', () => {
    const pasted = readPasted('{"x": {"command": "x", "autoApprove": ["*"], "alwaysAllow": [], "description": "d"}}');
    assert.deepEqual(pasted.kind === 'servers' && pasted.servers, [
      { name: 'x', definition: { command: 'x' }, leftOut: ['autoApprove', 'alwaysAllow'] },
    ]);
  });

  it('brings its inputs along', () => {
    const inputs = [{ type: 'promptString', id: 'token', password: true }];
    const pasted = readPasted(JSON.stringify({ inputs, servers: { x: { command: 'x', env: { T: '${input:token}' } } } }));
    assert.deepEqual(pasted.kind === 'servers' && pasted.inputs, inputs);
  });
});

describe('A text that adds no server', () => {
  for (const [text, expected] of [
    ['', /^paste\.empty/],
    ['   ', /^paste\.empty/],
    ['npx "foo', /^paste\.openQuote/],
    ['cd x && node y', /^paste\.shellSyntax.*“&&”/],
    ['export A=1; node y', /^paste\.shellSyntax.*“A=1;”/],
    ['node $(cat x)', /^paste\.shellSyntax.*“\$\(cat/],
    ['node `cat x`', /^paste\.shellSyntax/],
    ['TOKEN=1', /^paste\.noCommand/],
    ['claude mcp list', /^paste\.unknownVerb.*“claude mcp list”.*“claude mcp add”/],
    ['claude mcp add', /^paste\.noName/],
    ['claude mcp add x', /^paste\.noTarget.*“x”/],
    ['claude mcp add -e', /^paste\.noValue.*“-e”/],
    ['claude mcp add x -e BAD -- node s', /^paste\.badVariable.*“BAD”/],
    ['claude mcp add -H bad -t http x https://a.example', /^paste\.badHeader.*“bad”/],
    ['claude mcp add -t smoke x -- node s', /^paste\.badTransport.*“smoke”/],
    ['claude mcp add -t http x node', /^paste\.badUrl.*“node”/],
    ['claude mcp add --frob x -- node s', /^paste\.unknownOption.*“--frob”/],
    ['code --add-mcp', /^paste\.noValue.*“--add-mcp”/],
    ['code --add-mcp {', /^paste\.notJson/],
    ['{"a": ', /^paste\.notJson/],
    ['{"mcpServers": {}}', /^paste\.noServers/],
    ['[]', /^paste\.noServers/],
    ['{"x": {"args": []}}', /^definitions\.commandOrUrl.*command.*url/],
    ['{"x": {"command": 3}}', /^definitions\./],
    ['ftp://x.example/', /^paste\.badUrl/],
    ['https://github.com/owner/repo', /^paste\.repository/],
    ['https://', /^paste\.badUrl/],
    [`{${'"a":{'.repeat(2_000)}`, /^paste\.notJson/],
    [`x ${'y'.repeat(100_001)}`, /^paste\.tooLong/],
  ] as const) {
    it(`gets a sentence that says why: ${text.slice(0, 60)}`, () => {
      const said = serversOf(text);
      assert.match(typeof said === 'string' ? said : JSON.stringify(said), expected);
    });
  }

  it('is refused in time, whatever it is made of', async () => {
    for (const piece of ['"', '//', '{"', "'", '$', '${a', '\\ ', '```', '--x=', 'a.', '%a', '/*', '"a":']) {
      const elapsed = await ownTime(() => {
        readPasted(piece.repeat(40_000 / piece.length));
        readPasted(`{${piece.repeat(40_000 / piece.length)}`);
        readPasted(`x ${piece.repeat(40_000 / piece.length)}`);
      });
      assert.ok(elapsed < 2_000, `${piece}: ${elapsed} ms`);
    }
  });
});
