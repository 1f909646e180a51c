import assert from 'node:assert/strict';
import { freeName, problemOfServerName, suggestedName } from '../../../../src/definitions/pasted/newNames.ts';

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
    assert.equal(suggestedName({ command: 'uvx', args: ['mcp-server-git==1.0'] }), 'git');
    assert.equal(suggestedName({ url: 'https://mcp.linear.app/sse' }), 'linear');
  });

  it('gets a number where it is taken', () => {
    assert.equal(freeName('memory', ['memory', 'memory-2']), 'memory-3');
    assert.equal(freeName('memory', []), 'memory');
  });
});
