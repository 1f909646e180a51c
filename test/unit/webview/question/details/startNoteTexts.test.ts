import assert from 'node:assert/strict';
import { startNotes } from '../../../../../src/contract/questions/startNotes.ts';
import { fieldText, noteText } from '../../../../../src/webview/question/details/startNoteTexts.ts';
import { loadBundle } from '../../../../../src/webview/shared/localize.ts';

describe('What Duplex says among the fields of a start question', () => {
  const translated = Object.fromEntries(Object.values(startNotes).map((note) => [note, `ü ${note}`]));
  beforeEach(() => loadBundle(JSON.stringify(translated), 'de'));
  afterEach(() => loadBundle(undefined));

  it('is said in the language of the page, every note of it', () => {
    for (const note of Object.values(startNotes)) {
      assert.equal(noteText(note), `ü ${note}`);
    }
    assert.equal(fieldText('executable', startNotes.lookedUpLater), translated[startNotes.lookedUpLater]);
    assert.equal(fieldText('dev.debug', `node (${startNotes.debuggerMeaning})`), `node (ü ${startNotes.debuggerMeaning})`);
    assert.equal(fieldText('not set', `\${env:A}: ${startNotes.nothingStands}`), `\${env:A}: ü ${startNotes.nothingStands}`);
  });

  it('is not taken for what a definition says itself', () => {
    for (const name of ['command', 'args[0]', 'cwd', 'env.A', 'headers.A']) {
      assert.equal(fieldText(name, startNotes.fromFile), startNotes.fromFile);
    }
    assert.equal(fieldText('executable', `/opt/${startNotes.fromFile}`), `/opt/${startNotes.fromFile}`);
  });
});
