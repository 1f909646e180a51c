import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { ProposedChange, ProposedFile } from '../../../../src/editor/acting/actingViews.ts';
import { isAnswerable, openFilesOf, ProposalQuestions, unseenFilesOf } from '../../../../src/views/proposals/proposalQuestions.ts';

const file: ProposedFile = { kind: 'change', uri: {} as ProposedFile['uri'], path: 'a.txt', isText: true, before: '', after: 'a' };
const change: ProposedChange = { author: { credentialId: 'c1', name: 'outsider' }, asksToSave: false, files: [file] };
const three: ProposedChange = { ...change, asksToSave: true, files: [file, file, file] };
const text = new Map([[0, 'text']]);
const texts = new Map([
  [0, 'a'],
  [1, 'b'],
  [2, 'c'],
]);
const never = new AbortController().signal;

describe('A proposed change', () => {
  let questions: ProposalQuestions;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    questions = new ProposalQuestions();
  });

  /** One diff in front, with the others in tabs behind it. */
  const show = (index: number, open: readonly number[] = [0, 1, 2]): void => questions.noticeView('one', { open, inView: [index] });
  const see = (index: number, open?: readonly number[]): void => {
    show(index, open);
    mock.timers.tick(500);
  };

  afterEach(() => {
    questions.dispose();
    mock.timers.reset();
  });

  it('is accepted only after it has been in sight for a moment', async () => {
    const answer = questions.ask('one', change, never);
    assert.equal(questions.accept('one', text), false, 'nobody has seen it');
    show(0);
    mock.timers.tick(499);
    assert.equal(questions.accept('one', text), false, 'it has just appeared');
    mock.timers.tick(1);
    assert.equal(questions.accept('one', text), true);
    assert.deepEqual(await answer, [{ kind: 'accepted', text: 'text', isToBeSaved: false }]);
  });

  it('is accepted in the chat when it was read there, but not the moment it comes', async () => {
    const answer = questions.ask('one', change, never);
    const isRead = (): boolean => true;
    mock.timers.tick(499);
    assert.equal(questions.acceptInChat('one', text, isRead), false, 'it has just appeared');
    mock.timers.tick(1);
    assert.equal(
      questions.acceptInChat('one', text, () => false),
      false,
      'nobody has read it',
    );
    assert.equal(questions.acceptInChat('one', text, isRead), true);
    assert.deepEqual(await answer, [{ kind: 'accepted', text: 'text', isToBeSaved: false }]);
  });

  it('is accepted in the chat when its diff was in view to its end, and is still open', async () => {
    const answer = questions.ask('one', three, never);
    const isRead = (index: number): boolean => index < 2;
    see(2);
    assert.equal(questions.acceptInChat('one', texts, isRead), false, 'only its beginning was in view');
    questions.noticeView('one', { open: [0, 1, 2], inView: [2], endInView: [2] });
    questions.noticeView('one', { open: [0, 1], inView: [0] });
    mock.timers.tick(500);
    assert.equal(questions.acceptInChat('one', texts, isRead), false, 'it was closed');
    questions.noticeView('one', { open: [0, 1, 2], inView: [2], endInView: [2] });
    mock.timers.tick(500);
    assert.equal(questions.acceptInChat('one', texts, isRead), true);
    assert.deepEqual(
      (await answer).map(({ kind }) => kind),
      ['accepted', 'accepted', 'accepted'],
    );
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
    see(0);
    questions.reject('one', [0], '');
    listening.dispose();
    assert.deepEqual(told, [[['one', false]], [['one', true]], []]);
  });

  it('of several files is settled when each has an answer of its own, and each file has time to be seen', async () => {
    const answer = questions.ask('one', three, never);
    see(0);
    see(1);
    assert.equal(questions.accept('one', new Map([[1, 'second']]), { isToBeSaved: true }), true);
    assert.equal(questions.accept('one', new Map([[0, 'first']])), false, 'it has just come back under the pointer');
    see(0);
    assert.equal(questions.accept('one', new Map([[1, 'again']])), false, 'that one has its answer');
    assert.equal(questions.reject('one', [2], 'not this one'), true);
    assert.deepEqual(questions.list().map(openFilesOf), [[0]]);
    mock.timers.tick(500);
    assert.equal(questions.accept('one', new Map([[0, 'first']])), true);
    assert.deepEqual(await answer, [
      { kind: 'accepted', text: 'first', isToBeSaved: false },
      { kind: 'accepted', text: 'second', isToBeSaved: true },
      { kind: 'rejected', reason: 'not this one' },
    ]);
  });

  it('of several files is answered for all that are left at once, when each of them was seen', async () => {
    const answer = questions.ask('one', three, never);
    questions.reject('one', [1], '');
    see(0);
    assert.equal(questions.accept('one', texts), false, 'one was never in front');
    assert.deepEqual(questions.list().map(unseenFilesOf), [[2]]);
    show(2);
    mock.timers.tick(499);
    show(0);
    mock.timers.tick(500);
    assert.equal(questions.accept('one', texts), false, 'one was in front for less than a moment');
    see(2);
    assert.equal(questions.accept('one', texts, { isToBeSaved: true }), true);
    assert.deepEqual(
      (await answer).map(({ kind }) => kind),
      ['accepted', 'rejected', 'accepted'],
    );
  });

  it('has its time to be seen from the last diff on that comes into view', () => {
    void questions.ask('one', three, never).catch(() => undefined); // withdrawn at the end
    show(0);
    mock.timers.tick(400);
    questions.noticeView('one', { open: [0, 1, 2], inView: [0, 1] });
    mock.timers.tick(400);
    assert.equal(questions.accept('one', text), false);
    questions.noticeView('one', { open: [0, 1, 2], inView: [0, 1] }); // something else happened to a tab
    mock.timers.tick(100);
    assert.equal(questions.accept('one', text), true);
  });

  it('cannot be accepted while none of its diffs is in view, nor for a file whose diff was closed', () => {
    void questions.ask('one', three, never).catch(() => undefined); // withdrawn at the end
    [0, 1, 2].forEach((index) => see(index));
    questions.noticeView('one', { open: [0, 1, 2], inView: [] });
    mock.timers.tick(500);
    assert.equal(questions.accept('one', texts), false, 'something else is in front');
    questions.noticeView('one', { open: [], inView: [] });
    mock.timers.tick(500);
    assert.equal(questions.accept('one', text), false, 'all are closed');
    see(1, [0, 1]);
    assert.equal(questions.accept('one', texts), false, 'the others were closed since they were seen');
    assert.deepEqual(questions.list().map(unseenFilesOf), [[0, 2]]);
    assert.equal(questions.accept('one', new Map([[1, 'b']])), true);
  });

  it('says whether somebody is just looking at it', () => {
    void questions.ask('one', three, never).catch(() => undefined); // withdrawn at the end
    const told = [questions.isBeingSeen('one')];
    show(0);
    told.push(questions.isBeingSeen('one'));
    mock.timers.tick(500);
    told.push(questions.isBeingSeen('one'), questions.isBeingSeen('another'));
    assert.deepEqual(told, [false, true, false, false]);
    assert.deepEqual(
      questions.list().map((question) => [0, 1].map((index) => isAnswerable(question, index))),
      [[true, false]],
    );
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
