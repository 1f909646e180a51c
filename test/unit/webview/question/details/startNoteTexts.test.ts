import assert from 'node:assert/strict';
import { startNotes } from '../../../../../src/contract/questions/startNotes.ts';
import { disclosureText, fieldText, valueNote } from '../../../../../src/webview/question/details/startNoteTexts.ts';
import { loadBundle } from '../../../../../src/webview/shared/localize.ts';

describe('What Duplex says among the fields of a start question', () => {
  const translated = Object.fromEntries(Object.values(startNotes).map((note) => [note, `ü ${note}`]));
  beforeEach(() => loadBundle(JSON.stringify(translated), 'de'));
  afterEach(() => loadBundle(undefined));

  it('is said in the language of the page, every note of it', () => {
    for (const note of Object.values(startNotes)) {
      assert.equal(disclosureText({ name: 'A', destination: note }), `sends A to ü ${note}`);
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

  it('says of a value, and of where a secret goes, what no definition can say', () => {
    const [removed, set, signIn] = [
      '(removed)',
      '(set as the batch file does)',
      'sends {0} to the authorization server of {1}, once you allow it',
    ];
    loadBundle(JSON.stringify(Object.fromEntries([removed, set, signIn].map((text) => [text, `ü ${text}`]))), 'de');
    assert.deepEqual([valueNote('removed'), valueNote('setByBatchFile')], [`ü ${removed}`, `ü ${set}`]);
    assert.equal(
      disclosureText({ name: 'A', destination: 'a.example', isSignIn: true }),
      'ü sends A to the authorization server of a.example, once you allow it',
    );
    assert.equal(fieldText('env.A', `x ${set}`), `x ${set}`);
  });
});
