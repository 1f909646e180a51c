import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type * as vscode from 'vscode';
import { TextVersions } from '../../../../src/editor/documents/versions.ts';
import { turnsOfOthers } from '../../../support/longestBlock.ts';

const versions = new TextVersions('key');

describe('The version of a text', () => {
  it('is the same after a restart and another for every other text', () => {
    const again = new TextVersions('key');
    assert.equal(again.ofText('a\nb\n'), versions.ofText('a\nb\n'));
    const others = ['a\nb', 'a\nc\n', 'a\r\nb\r\n', '', ' a\nb\n', 'a\nb\n\n'];
    assert.equal(new Set([...others, 'a\nb\n'].map((text) => versions.ofText(text))).size, others.length + 1);
  });

  it('tells nothing to somebody who guesses the text without the key', () => {
    assert.notEqual(new TextVersions('other').ofText('a\nb\n'), versions.ofText('a\nb\n'));
  });

  it('of a file is the one it has in the editor, which mends mixed line ends and drops a byte order mark', () => {
    assert.equal(versions.ofText('\uFEFFa\r\nb\nc\r\n'), versions.ofText('a\r\nb\r\nc\r\n'));
    assert.equal(versions.ofText('a\nb\r\nc\rd\n'), versions.ofText('a\nb\nc\nd\n'));
    assert.equal(versions.ofText('a\nb\r\nc\rd'), versions.ofText('a\r\nb\r\nc\r\nd'), 'a CR alone counts for CRLF');
    assert.equal(versions.ofText('a\rb\r'), versions.ofText('a\r\nb\r\n'));
  });

  it('of a long text is the same whether it is made at once or in turns, also where a piece ends in a character or a line’s end (release)', async () => {
    const step = 256 * 1024;
    const around = (middle: string): string => `${'a'.repeat(step - 1)}${middle}${'b\n'.repeat(step)}`;
    const plain = createHmac('sha256', 'key').update(around('😀')).digest('base64url').slice(0, 22);
    assert.deepEqual([versions.ofText(around('😀')), await versions.ofLongText(around('😀'))], [plain, plain]);
    assert.equal(await versions.ofLongText(around('\r\n')), versions.ofText(around('\n')));
    for (const middle of ['\r\r\n', '\r😀', '\r\n\r', '\rx']) {
      assert.equal(versions.ofText(around(middle)), versions.ofText(around(middle).replaceAll(/\r\n?/g, '\n')), JSON.stringify(middle));
    }
    assert.equal(await versions.ofLongText('a\r\n'.repeat(step)), versions.ofText('a\r'.repeat(step)));
    assert.ok((await turnsOfOthers(() => versions.ofLongText('word\r\n'.repeat(2_000_000)))) >= 3);
  });

  it('of a document follows its text', () => {
    let text = 'one';
    const document = { version: 1, getText: () => text };
    const of = (): string => versions.ofDocument(document as unknown as vscode.TextDocument);
    assert.equal(of(), versions.ofText('one'));
    text = 'two';
    document.version = 2;
    assert.equal(of(), versions.ofText('two'));
  });
});
