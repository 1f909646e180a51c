import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { ProposedChange, ProposedFile } from '../../../src/editor/acting/actingViews.ts';
import { openFilesOf, ProposalQuestions } from '../../../src/views/proposalQuestions.ts';

const file: ProposedFile = { kind: 'change', uri: {} as ProposedFile['uri'], path: 'a.txt', isText: true, before: '', after: 'a' };
const change: ProposedChange = { author: { credentialId: 'c1', name: 'outsider' }, asksToSave: false, files: [file] };
const three: ProposedChange = { ...change, asksToSave: true, files: [file, file, file] };
const text = new Map([[0, 'text']]);
const never = new AbortController().signal;

describe('A proposed change', () => {
  let questions: ProposalQuestions;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    questions = new ProposalQuestions();
  });

  afterEach(() => {
    questions.dispose();
    mock.timers.reset();
  });

  it('is accepted only after it has been in sight for a moment', async () => {
    const answer = questions.ask('one', change, never);
    assert.equal(questions.accept('one', text), false, 'nobody has seen it');
    questions.noticeShown('one');
    mock.timers.tick(499);
    assert.equal(questions.accept('one', text), false, 'it has just appeared');
    mock.timers.tick(1);
    assert.equal(questions.accept('one', text), true);
    assert.deepEqual(await answer, [{ kind: 'accepted', text: 'text', isToBeSaved: false }]);
  });

  it('is rejected at any time, with the reason if there is one', async () => {
    const answers = [questions.ask('one', change, never), questions.ask('two', change, never)];
    assert.deepEqual([questions.reject('one', [0], ' not like this '), questions.reject('two', [0], '  ')], [true, true]);
    assert.deepEqual(await Promise.all(answers), [[{ kind: 'rejected', reason: 'not like this' }], [{ kind: 'rejected' }]]);
  });

  it('is settled once, by its own id', async () => {
    const answer = questions.ask('one', change, never);
    assert.equal(questions.reject('another', [0], ''), false);
    assert.equal(questions.reject('one', [0], ''), true);
    assert.equal(questions.reject('one', [0], 'too late'), false);
    assert.deepEqual(await answer, [{ kind: 'rejected' }]);
  });

  it('tells when it comes, when it can be accepted and when it goes', () => {
    const told: unknown[] = [];
    const listening = questions.onDidChange(() => told.push(questions.list().map(({ id, isArmed }) => [id, isArmed])));
    void questions.ask('one', change, never);
    questions.noticeShown('one');
    mock.timers.tick(500);
    questions.reject('one', [0], '');
    listening.dispose();
    assert.deepEqual(told, [[['one', false]], [['one', true]], []]);
  });

  it('of several files is settled when each has an answer of its own, and each file has time to be seen', async () => {
    const answer = questions.ask('one', three, never);
    questions.noticeShown('one');
    mock.timers.tick(500);
    assert.equal(questions.accept('one', new Map([[1, 'second']]), { isToBeSaved: true }), true);
    assert.equal(questions.accept('one', new Map([[0, 'first']])), false, 'it has just appeared');
    questions.noticeShown('one');
    mock.timers.tick(500);
    assert.equal(questions.accept('one', new Map([[1, 'again']])), false, 'that one has its answer');
    assert.equal(questions.reject('one', [2], 'not this one'), true);
    assert.deepEqual(questions.list().map(openFilesOf), [[0]]);
    questions.noticeShown('one');
    mock.timers.tick(500);
    assert.equal(questions.accept('one', new Map([[0, 'first']])), true);
    assert.deepEqual(await answer, [
      { kind: 'accepted', text: 'first', isToBeSaved: false },
      { kind: 'accepted', text: 'second', isToBeSaved: true },
      { kind: 'rejected', reason: 'not this one' },
    ]);
  });

  it('of several files is answered for all that are left at once', async () => {
    const answer = questions.ask('one', three, never);
    questions.reject('one', [1], '');
    questions.noticeShown('one');
    mock.timers.tick(500);
    const texts = new Map([
      [0, 'a'],
      [1, 'b'],
      [2, 'c'],
    ]);
    assert.equal(questions.accept('one', texts, { isToBeSaved: true }), true);
    assert.deepEqual(
      (await answer).map(({ kind }) => kind),
      ['accepted', 'rejected', 'accepted'],
    );
  });

  it('has its time to be seen from the last of its diffs on', () => {
    void questions.ask('one', three, never).catch(() => undefined); // withdrawn at the end
    questions.noticeShown('one');
    mock.timers.tick(400);
    questions.noticeShown('one');
    mock.timers.tick(400);
    assert.equal(questions.accept('one', text), false);
    mock.timers.tick(100);
    assert.equal(questions.accept('one', text), true);
  });

  it('waits no longer when the client withdraws it or the window closes', async () => {
    const withdrawing = new AbortController();
    const withdrawn = questions.ask('one', change, withdrawing.signal);
    const left = questions.ask('two', change, never);
    withdrawing.abort();
    await assert.rejects(withdrawn, { name: 'AbortError' });
    assert.deepEqual(
      questions.list().map(({ id }) => id),
      ['two'],
    );
    questions.dispose();
    await assert.rejects(left, { name: 'AbortError' });
    await assert.rejects(questions.ask('three', change, never), { name: 'AbortError' });
    assert.deepEqual(questions.list(), []);
  });
});
