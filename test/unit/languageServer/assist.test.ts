import assert from 'node:assert/strict';
import { helpAt, proposalsAt } from '../../../src/languageServer/assist.ts';
import { keyHelp } from '../../../src/languageServer/helpTexts.ts';
import { remoteDefinition, stdioDefinition } from '../../../src/contract/definitionSchemas.ts';

/** The text without its `|`, and where that stood. */
function at(marked: string): [text: string, offset: number] {
  return [marked.replace('|', ''), marked.indexOf('|')];
}

function keysAt(marked: string): string[] {
  const [text, offset] = at(marked);
  return proposalsAt(text, 'mcpJson', offset).map(({ key }) => key);
}

/** The text after the proposal for `key` was taken. */
function taken(marked: string, key: string): string | undefined {
  const [text, offset] = at(marked);
  const proposal = proposalsAt(text, 'mcpJson', offset).find((each) => each.key === key);
  return proposal && text.slice(0, proposal.start) + proposal.newText + text.slice(proposal.end);
}

describe('The help for keys', () => {
  it('covers every key of the schemas and no other', () => {
    const inner = [
      'tls.ca',
      'tls.cert',
      'tls.key',
      'auth.clientId',
      'auth.clientSecret',
      'auth.scopes',
      'tools.include',
      'tools.exclude',
      'dev.watch',
      'dev.debug',
      'sandbox.read',
      'sandbox.write',
      'sandbox.network',
    ];
    const keys = new Set([...Object.keys(stdioDefinition().shape), ...Object.keys(remoteDefinition().shape), ...inner]);
    assert.deepEqual(Object.keys(keyHelp).sort(), [...keys].sort());
  });

  it('is shown on a key of a definition only', () => {
    const helpIn = (marked: string): string | undefined => helpAt(at(marked)[0], 'mcpJson', at(marked)[1])?.text;
    assert.equal(helpIn('{ "mcpServers": { "a": { "com|mand": "x" } } }'), keyHelp.command);
    assert.equal(helpIn('{ "mcpServers": { "a": { "tls": { "c|a": "x" } } } }'), keyHelp['tls.ca']);
    assert.equal(helpIn('{ "mcpServers": { "com|mand": {} } }'), undefined);
    assert.equal(helpIn('{ "mcpServers": { "a": { "env": { "com|mand": "x" } } } }'), undefined);
    assert.equal(helpIn('{ "com|mand": 1 }'), undefined);
  });
});

describe('The keys proposed', () => {
  it('are those of a definition that are not there yet', () => {
    const keys = keysAt('{ "mcpServers": { "a": { "disabled": true, | } } }');
    assert.ok(keys.includes('command') && keys.includes('url') && !keys.includes('disabled'));
    assert.ok(keys.every((key) => !key.includes('.')));
  });

  it('fit the kind of server', () => {
    assert.deepEqual(keysAt('{ "mcpServers": { "a": { "command": "x", | } } }'), [
      'type',
      'args',
      'env',
      'envFile',
      'cwd',
      'dev',
      'sandbox',
      'registry',
      'disabled',
      'timeout',
      'tools',
    ]);
    assert.deepEqual(keysAt('{ "mcpServers": { "a": { "url": "x", | } } }'), [
      'type',
      'headers',
      'tls',
      'auth',
      'disabled',
      'timeout',
      'tools',
    ]);
    assert.deepEqual(keysAt('{ "mcpServers": { "a": { "tls": { "ca": "x", | } } } }'), ['cert', 'key']);
    assert.deepEqual(keysAt('{ "mcpServers": { "a": { "command": "x", "dev": { "watch": "x", | } } } }'), ['debug']);
  });

  it('do not appear elsewhere', () => {
    for (const place of [
      '{ | }',
      '{ "mcpServers": { | } }',
      '{ "mcpServers": { "a": { "env": { | } } } }',
      '{ "mcpServers": { "a": { "command": "|" } } }',
    ]) {
      assert.deepEqual(keysAt(place), [], place);
    }
  });

  it('replace the key being typed and keep its colon', () => {
    assert.equal(taken('{ "mcpServers": { "a": { "co|" } } }', 'command'), '{ "mcpServers": { "a": { "command":  } } }');
    assert.equal(taken('{ "mcpServers": { "a": { "co|": "x" } } }', 'command'), '{ "mcpServers": { "a": { "command": "x" } } }');
    assert.equal(taken('{ "mcpServers": { "a": { | } } }', 'url'), '{ "mcpServers": { "a": { "url":  } } }');
  });
});
