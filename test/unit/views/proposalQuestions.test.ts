import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { ProposedChange } from '../../../src/editor/acting/actingViews.ts';
import { ProposalQuestions } from '../../../src/views/proposalQuestions.ts';

const change: ProposedChange = { author: { credentialId: 'c1', name: 'outsider' }, files: [] };
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
    assert.equal(questions.accept('one', ['text']), false, 'nobody has seen it');
    questions.noticeShown('one');
    mock.timers.tick(499);
    assert.equal(questions.accept('one', ['text']), false, 'it has just appeared');
    mock.timers.tick(1);
    assert.equal(questions.accept('one', ['text']), true);
    assert.deepEqual(await answer, { kind: 'accepted', texts: ['text'] });
  });

  it('is rejected at any time, with the reason if there is one', async () => {
    const answers = [questions.ask('one', change, never), questions.ask('two', change, never)];
    assert.deepEqual([questions.reject('one', ' not like this '), questions.reject('two', '  ')], [true, true]);
    assert.deepEqual(await Promise.all(answers), [{ kind: 'rejected', reason: 'not like this' }, { kind: 'rejected' }]);
  });

  it('is settled once, by its own id', async () => {
    const answer = questions.ask('one', change, never);
    assert.equal(questions.reject('another', ''), false);
    assert.equal(questions.reject('one', ''), true);
    assert.equal(questions.reject('one', 'too late'), false);
    assert.deepEqual(await answer, { kind: 'rejected' });
  });

  it('tells when it comes, when it can be accepted and when it goes', () => {
    const told: unknown[] = [];
    const listening = questions.onDidChange(() => told.push(questions.list().map(({ id, isArmed }) => [id, isArmed])));
    void questions.ask('one', change, never);
    questions.noticeShown('one');
    mock.timers.tick(500);
    questions.reject('one', '');
    listening.dispose();
    assert.deepEqual(told, [[['one', false]], [['one', true]], []]);
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
