import assert from 'node:assert/strict';
import type { DocumentKind } from '../../../src/languageServer/documents.ts';
import { serversAt, type TextProposal, variablesAt } from '../../../src/languageServer/proposals.ts';
import { validate } from '../../../src/languageServer/checks/validate.ts';

function at(
  marked: string,
  kind: DocumentKind = 'vscodeMcp',
): { readonly variables: readonly TextProposal[]; readonly servers: readonly TextProposal[] } {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  return { variables: variablesAt(text, kind, offset, ['HOME', 'PATH']), servers: serversAt(text, kind, offset) };
}

function taken(marked: string, { start, end, newText }: TextProposal): string {
  const text = marked.replace('|', '');
  return text.slice(0, start) + newText + text.slice(end);
}

describe('The variables proposed', () => {
  const place = '{ "servers": { "a": { "command": "x", "args": ["${in|}"] } }, "inputs": [{ "id": "key", "type": "promptString" }] }';

  it('are those that Duplex knows, the inputs of the file and the names of the environment', () => {
    assert.deepEqual(
      at(place).variables.map(({ label }) => label),
      ['${workspaceFolder}', '${userHome}', '${input:key}', '${env:HOME}', '${env:PATH}'],
    );
    assert.deepEqual(
      at('{ "mcpServers": { "a": { "env": { "A": "$|" } } } }', 'mcpJson').variables.map(({ label }) => label),
      ['${workspaceFolder}', '${userHome}', '${HOME}', '${PATH}'],
    );
  });

  it('replace what was typed, with its closing brace', () => {
    const [proposal] = at(place).variables;
    assert.ok(proposal);
    assert.ok(taken(place, proposal).includes('"args": ["${workspaceFolder}"]'));
  });

  it('do not appear elsewhere', () => {
    for (const elsewhere of [
      '{ "servers": { "a": { "command": "x|" } } }',
      '{ "servers": { "$|": {} } }',
      '{ "other": "$|" }',
      '{ "servers": "$|" }',
    ]) {
      assert.deepEqual(at(elsewhere).variables, [], elsewhere);
    }
  });
});

describe('The servers proposed', () => {
  it('are definitions without a mistake, each under its name', () => {
    const place = '{ "servers": { | } }';
    const { servers } = at(place);
    assert.ok(servers.length >= 6);
    for (const proposal of servers) {
      const text = taken(place, proposal)
        .replace(/\$\{1:(.*?[^\\])\}"/g, '$1"')
        .replaceAll('\\', '');
      assert.deepEqual(
        validate(text, 'vscodeMcp').filter(({ severity }) => severity !== 'hint'),
        [],
        text,
      );
    }
  });

  it('are not those that are there already, and none stands where no name is written', () => {
    const names = (marked: string): readonly string[] => at(marked).servers.map(({ label }) => label);
    assert.ok(!names('{ "servers": { "memory": { "command": "x" }, | } }').includes('memory'));
    for (const elsewhere of ['{ | }', '{ "servers": { "a|": {} } }', '{ "servers": { "a": { | } } }', '{ "servers": { "a": "|" } }']) {
      assert.deepEqual(names(elsewhere), [], elsewhere);
    }
  });
});
