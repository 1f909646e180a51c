import assert from 'node:assert/strict';
import { problemOfServerName, readPastedServers, suggestedName } from '../../../../src/views/servers/pastedServers.ts';

describe('Pasted JSON', () => {
  const memory = { command: 'npx', args: ['-y', 'server-memory'] };
  const docs = { url: 'https://docs.example/mcp' };

  for (const [name, text] of [
    ['bare', JSON.stringify({ memory, docs })],
    ["in Claude Desktop's wrapper", JSON.stringify({ mcpServers: { memory, docs } })],
    ["in VS Code's wrapper", JSON.stringify({ servers: { memory, docs }, inputs: [] })],
    ['as settings', JSON.stringify({ 'duplex.mcpServers': { memory, docs } })],
    ['without outer braces', `"memory": ${JSON.stringify(memory)}, "docs": ${JSON.stringify(docs)},`],
    ['with comments and commas', `{\n  // two\n  "memory": ${JSON.stringify(memory)},\n  "docs": ${JSON.stringify(docs)},\n}`],
  ] as const) {
    it(`gives every server, ${name}`, () => {
      assert.deepEqual(readPastedServers(text), { kind: 'named', servers: { memory, docs } });
    });
  }

  it('may be one definition without a name', () => {
    assert.deepEqual(readPastedServers(JSON.stringify(memory)), { kind: 'single', definition: memory });
  });

  it('is refused with the reason', () => {
    assert.equal(readPastedServers('hello').kind, 'notJson');
    assert.equal(readPastedServers('[]').kind, 'noServers');
    assert.equal(readPastedServers('{"mcpServers": {}}').kind, 'noServers');
    const invalid = readPastedServers('{"x": {"args": []}}');
    assert.match(invalid.kind === 'invalid' ? invalid.problem.message : '', /command.*url/);
    assert.equal(readPastedServers('{"editor": {"command": "x"}}').kind, 'invalid');
    assert.equal(readPastedServers('{"x": {"command": 3}}').kind, 'invalid');
  });
});

describe('The name of a new server', () => {
  it('must be visible, free and not the editor', () => {
    assert.equal(problemOfServerName('ok', ['other']), undefined);
    assert.equal(problemOfServerName(' ', []), 'empty');
    assert.equal(problemOfServerName('editor', []), 'reserved');
    assert.equal(problemOfServerName('a', ['a']), 'taken');
    assert.equal(problemOfServerName('a\u200Bb', []), 'notAllowed');
    assert.equal(problemOfServerName('x'.repeat(101), []), 'notAllowed');
  });

  it('is suggested from what the definition names', () => {
    assert.equal(suggestedName({ command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory@2.0.0'] }), 'memory');
    assert.equal(suggestedName({ command: 'node', args: ['/x/y/weather.mjs'] }), 'weather');
    assert.equal(suggestedName({ command: '/usr/bin/thing' }), 'thing');
    assert.equal(suggestedName({ command: 'uvx', args: ['git-mcp-server'] }), 'git');
    assert.equal(suggestedName({ url: 'https://mcp.linear.app/sse' }), 'linear');
  });
});
