import assert from 'node:assert/strict';
import type { Question, QuestionDetail } from '../../../../../src/contract/questions/questions.ts';
import { whatPasses, whoAsks } from '../../../../../src/webview/question/details/questionTexts.ts';

const ask = (detail: QuestionDetail, more: Partial<Question> = {}): Question => ({
  ...{ askId: 'q', detail, why: 'new', differences: [], choices: ['deny', 'allowOnce'] },
  ...more,
});
const call = { kind: 'callTool', server: 'demo', tool: 'echo', description: '', claims: [], arguments: '{}', risk: 'unknown' } as const;

describe('The words of a question that an outside program causes', () => {
  it('say which programs may have caused it, and when that is not known', () => {
    const roots: QuestionDetail = { kind: 'roots', server: 'demo', folders: [] };
    const cause = (more: Partial<Question>): string => whoAsks(ask(roots, more), 'panel');
    assert.match(cause({ clients: ['a\u200Bda'] }), / A program outside of this editor causes this: “a⟨U\+200B⟩da”\.$/);
    assert.match(
      cause({ clients: ['ada', 'bob'], unsure: 'client' }),
      /One of several programs .* which one is not known: “ada”, “bob”\.$/,
    );
    assert.match(
      cause({ clients: ['ada'], unsure: 'editor' }),
      /It is not known what causes this: this editor uses .* outside of it: “ada”\.$/,
    );
  });

  it('say that the answer of the server is not filtered, and only where it goes to an outside program', () => {
    const client = { kind: 'client', name: 'ada', credentialId: 'client-1' } as const;
    assert.equal(
      whatPasses(ask({ ...call, claims: [], asker: client })),
      'What the server “demo” answers goes to that program. It is not filtered for withheld files.',
    );
    assert.equal(whatPasses(ask({ ...call, claims: [], asker: { kind: 'model', name: 'Claude' } })), undefined);
    assert.match(whoAsks(ask({ ...call, claims: [], asker: client }), 'panel'), /by its credential client-1 only/);
  });
});
