import assert from 'node:assert/strict';
import { contentDifferences } from '../../../../../src/chat/content/contentQuestion.ts';
import type { Difference, Question } from '../../../../../src/contract/questions/questions.ts';
import type { ContentItem, SendContentQuestion } from '../../../../../src/contract/questions/sentContent.ts';
import {
  contentEffect,
  contentOrigin,
  contentScope,
  contentSize,
  contentTitle,
  isContentOpen,
  itemHead,
  shownDifferences,
} from '../../../../../src/webview/question/details/sendContentTexts.ts';
import { changeNote } from '../../../../../src/webview/question/details/questionTexts.ts';

const notes: SendContentQuestion = {
  kind: 'sendContent',
  server: 'demo',
  source: { kind: 'resource', uri: 'demo://notes', name: 'Notes' },
  destination: { kind: 'guide' },
  items: [],
  bytes: 100,
  secrets: [],
  invisible: 0,
};
const review: SendContentQuestion = { ...notes, source: { kind: 'prompt', name: 'review', description: '', arguments: [] } };
const changed = (differences: Difference[]): Question => ({
  askId: 'a',
  detail: notes,
  choices: ['deny', 'allowOnce'],
  why: 'changed',
  differences,
});

describe('The words about content that would be sent', () => {
  it('say that it went elsewhere, that the server changed, or both, and call the guide by its name', () => {
    const [guide, claude] = ['', 'https://api.anthropic.com'];
    const both = changed(contentDifferences({ server: 'A', destination: guide }, { server: 'B', destination: claude }));
    assert.match(changeNote(both), /went to somebody else.*definition of the server has changed/);
    assert.deepEqual(shownDifferences(both), [{ field: 'Destination', before: 'The offline guide', after: claude }]);
    const place = changed(contentDifferences({ server: 'A', destination: claude }, { server: 'A', destination: guide }));
    assert.equal(changeNote(place), 'It went to somebody else when you last allowed it.');
    assert.deepEqual(shownDifferences(place), [{ field: 'Destination', before: claude, after: 'The offline guide' }]);
    const server = changed(contentDifferences({ server: 'A', destination: guide }, { server: 'B', destination: guide }));
    assert.equal(changeNote(server), 'The definition of the server has changed since you last allowed it.');
    assert.deepEqual(shownDifferences(server), []);
  });

  it('say of instructions of a project whose they are, where they go, what changed, and that a yes holds for this text', () => {
    const source = { kind: 'instructions', name: 'AGENTS.md' } as const;
    const destination = { kind: 'model', name: 'Claude', address: 'https://api.anthropic.com' } as const;
    const detail: SendContentQuestion = { ...notes, server: '', source, destination };
    const question: Question = { ...changed([{ field: 'text', before: 'Use tabs.', after: 'Use spaces.' }]), detail };
    assert.equal(contentTitle(detail), 'Give Claude the instructions of this project, “AGENTS.md”?');
    assert.match(contentEffect(detail), /goes to Claude at api\.anthropic\.com with every request/);
    assert.match(contentOrigin(detail), /whoever wrote the project wrote it/);
    assert.match(contentScope(detail), /exactly this text/);
    assert.equal(isContentOpen(detail, 10_000), true);
    assert.equal(changeNote(question), 'The file has changed since you last allowed it.');
    assert.deepEqual(shownDifferences(question), [{ field: 'Text', before: 'Use tabs.', after: 'Use spaces.' }]);
    assert.deepEqual(shownDifferences({ ...question, differences: [{ field: 'text' }] }), []);
  });

  it('show every name that the model is told, also of the only part', () => {
    const common = { name: 'Call delete_all', role: 'user' as const };
    const items: ContentItem[] = [
      { kind: 'named', ...common, what: 'binary', mimeType: 'application/zip', bytes: 3 },
      { kind: 'link', ...common, uri: 'demo://a' },
      { kind: 'text', ...common, pieces: [] },
      { kind: 'image', ...common, mimeType: 'image/png', data: 'AAAA', bytes: 3 },
    ];
    assert.deepEqual(
      items.map((item) => [itemHead(item, true), itemHead(item, false)]),
      [
        ['User · Call delete_all', 'User · Call delete_all'],
        ['User · Call delete_all', 'User · Call delete_all'],
        ['User', 'User · Call delete_all'],
        ['User', 'User · Call delete_all'],
      ],
    );
  });

  it('leave a prompt unfolded however long it is, and fold only a long resource', () => {
    assert.deepEqual(
      [
        isContentOpen(review, 10_000),
        isContentOpen(notes, 10_000),
        isContentOpen(notes, 10),
        isContentOpen({ ...notes, invisible: 1 }, 99),
      ],
      [true, false, true, true],
    );
  });

  it('say the size with the secrets that are kept, and how many of the parts are sent', () => {
    const items: ContentItem[] = [{ kind: 'text', name: '', pieces: [1] }];
    const detail: SendContentQuestion = { ...notes, items, secrets: [{ before: '', length: 40 }], totalBytes: 300, totalParts: 201 };
    assert.equal(contentSize({ ...notes, items, secrets: detail.secrets }, new Set()), '100 B');
    assert.equal(
      contentSize(detail, new Set([1])),
      'the first 130 B of 330 B; the rest is not sent · 1 of 201 parts; the others are not sent',
    );
  });

  it('promise only of later sendings that secrets are removed', () => {
    for (const detail of [notes, review]) {
      assert.match(contentScope(detail), /From what is sent later, secrets that are found are always removed\.$/);
    }
  });
});
