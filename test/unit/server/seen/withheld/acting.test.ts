import assert from 'node:assert/strict';
import type { ActingPort, EditsProposal, FileProposal, WantedChange } from '../../../../../src/server/seen/ports/actingPort.ts';
import { withholdingActing } from '../../../../../src/server/seen/withheld/acting.ts';
import { FakeActing } from '../../support/fakeActing.ts';
import { visibilityWith } from '../../support/visibilityWith.ts';

const signal = new AbortController().signal;
const origin = { author: { credentialId: 'window-1', name: 'peer 9' } };
const visibility = visibilityWith(
  (path) => !path.includes('.env'),
  (text) => text.replace(/secret\d*/g, '[redacted]'),
);

function proposing(...files: readonly (readonly [string, WantedChange?])[]): EditsProposal {
  const proposals = files.map(([path, change = { kind: 'text', newText: '' }]): FileProposal => ({ path, change }));
  return { ...origin, files: proposals, save: false };
}

describe('Acting on withheld files', () => {
  it('fails in every way as if they were not there, and nothing reaches the editor', async () => {
    const editor = new FakeActing();
    const acting: ActingPort = withholdingActing(editor, visibility);
    const place = { path: '.env', startLine: 1, endLine: 1, title: 'Fix' };
    const attempts: Promise<unknown>[] = [
      acting.openFile({ path: '.env', preview: true }),
      acting.proposeEdits(proposing(['.env']), signal),
      acting.proposeEdits(proposing(['a.ts'], ['.env', { kind: 'delete' }]), signal),
      acting.proposeEdits(proposing(['a.ts', { kind: 'move', moveTo: '.env' }]), signal),
      acting.proposeEdits(proposing(['.env', { kind: 'move', moveTo: 'a.ts' }]), signal),
      acting.checkSave('.env'),
      acting.save('.env', 1),
      acting.formatDocument({ path: '.env' }, origin, signal),
      acting.renameSymbol({ path: '.env', line: 1, character: 1, newName: 'x' }, origin, signal),
      acting.findCodeAction(place),
      acting.applyCodeAction(place, {}, origin, signal),
      acting.commandPlace(origin.author, '.env'),
    ];
    const outcomes = await Promise.allSettled(attempts);
    const sentences = outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as Error).message : 'allowed'));
    assert.deepEqual([...new Set(sentences)], ['There is no ".env" in this workspace.']);
    assert.deepEqual(editor.done, []);
  });

  it('is not reached through a rename or a code action that touches them too', async () => {
    const editor = new FakeActing();
    await withholdingActing(editor, visibility).renameSymbol({ path: 'a.ts', line: 1, character: 1, newName: 'x' }, origin, signal);
    const [, , { guard }] = editor.done[0] as [string, object, EditsProposal];
    assert.deepEqual([guard?.mayTouch('a.ts'), guard?.mayTouch('.env')], [true, false]);
  });

  it('does not let a client write [redacted] over the secret it stands for', async () => {
    const editor = new FakeActing();
    await withholdingActing(editor, visibility).proposeEdits(proposing(['a.ts']), signal);
    const [, { guard }] = editor.done[0] as [string, EditsProposal];
    assert.equal(await guard?.losesWithheld('key = secret1', 'key = [redacted]'), true);
    assert.equal(await guard?.losesWithheld('key = secret1', 'key = secret1\nmore'), false);
    assert.equal(
      await guard?.losesWithheld('says nothing', 'says [redacted]'),
      false,
      'where nothing is withheld, it is a word like any other',
    );
  });

  it('redacts secrets in the final text and in what a command wrote', async () => {
    const editor = new FakeActing();
    editor.fileReview = { outcome: 'accepted', text: 'a secret1', version: 'v2', isSaved: false };
    editor.commandOutput = 'a secret2';
    const acting = withholdingActing(editor, visibility);
    const { files } = await acting.proposeEdits(proposing(['a.ts']), signal);
    const place = await acting.commandPlace(origin.author, undefined);
    const command = await acting.startCommand({ command: 'x', place, author: origin.author }, signal);
    assert.deepEqual([files[0]?.text, await command.output()], ['a [redacted]', 'a [redacted]']);
  });
});
