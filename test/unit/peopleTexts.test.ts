import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

const src = path.resolve(import.meta.dirname, '../../src');

/** `vscode.l10n.t` may be handed to a table of views; who calls it writes a text for people. */
const written = /\bl10n\b(?!\.t\s*[,)])/;
const asked = /\b(?:show(?:InputBox|QuickPick|InformationMessage|WarningMessage|ErrorMessage)|create(?:InputBox|QuickPick))\b/;

describe('Texts and dialogs for people', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => /\.tsx?$/.test(file) && !/^(?:views|webview)\//.test(file));
  const linesWith = (pattern: RegExp): string[] =>
    files.flatMap((file) => {
      const lines = readFileSync(path.join(src, file), 'utf8').split('\n');
      return lines.filter((line) => pattern.test(line)).map((line) => `${file}: ${line.trim()}`);
    });

  it('are written in views/ and webview/ and in no other room', () => {
    assert.deepEqual(linesWith(written), []);
  });

  it('are shown by views/ and by no other room', () => {
    assert.deepEqual(linesWith(asked), []);
  });
});
