import assert from 'node:assert/strict';
import type { CallKnowledge, CarriedText } from '../../../../src/contract/questions/callKnowledge.ts';
import type { CallToolQuestion } from '../../../../src/contract/questions/toolQuestions.ts';
import { carriedRemark, knownLines } from '../../../../src/webview/question/knowledgeTexts.ts';

const carried: CarriedText = {
  server: 'mail',
  tool: 'read',
  source: { kind: 'result' },
  path: 'body.text',
  encoding: 'plain',
  excerpt: 'the merger',
  characters: 10,
};
const nothing: CallKnowledge = { place: { kind: 'thisMachine' }, carried: [], compared: 0, isPartly: false };

function linesFor(more: Partial<CallToolQuestion>, hasChanged = false, areArgumentsChanged = false): readonly string[] {
  const detail: CallToolQuestion = {
    kind: 'callTool',
    asker: { kind: 'guide' },
    server: 'demo',
    tool: 'echo',
    description: '',
    claims: [],
    arguments: '{}',
    risk: 'unknown',
    knows: nothing,
    ...more,
  };
  return knownLines(detail, hasChanged, areArgumentsChanged).map(
    ({ text, isWarning, quote }) => `${isWarning ? '! ' : ''}${text}${quote ?? ''}`,
  );
}

describe('What Duplex knows about a call', () => {
  it('says where it runs, and never that it is safe', () => {
    assert.deepEqual(linesFor({}), [
      'Runs on this machine with your rights. What it writes or reaches, and whether anything holds it back, is unknown.',
    ]);
    assert.deepEqual(linesFor({ knows: { ...nothing, place: { kind: 'remote', host: 'api.example' } } }), [
      'Goes to api.example. What is written there, or goes on from there, is unknown.',
    ]);
    const inEditor = { ...nothing, place: { kind: 'editor' } } as const;
    assert.deepEqual(
      (['readsEditor', 'changesEditor', 'runsCode'] as const).map((risk) => linesFor({ risk, knows: inEditor })),
      [
        ['Runs inside this editor. It writes nothing and has no use for the network itself.'],
        ['Runs inside this editor. It writes, and has no use for the network itself.'],
        ['Runs code on this machine, which may write and reach the network.'],
      ],
    );
  });

  it('names a claim as a claim, and a changed definition as a reason to look twice', () => {
    assert.deepEqual(linesFor({ claims: ['readOnly'] }, true).slice(1), [
      'The server claims: read-only',
      '! The server has changed this tool since you last allowed it.',
    ]);
  });

  it('names whose text the arguments carry, in what clothes, and quotes it', () => {
    const several: readonly CarriedText[] = [
      carried,
      { ...carried, source: { kind: 'withheldFile', name: '.env' }, encoding: 'base64' },
      { ...carried, source: { kind: 'webPage', host: 'news.example' }, encoding: 'percent' },
    ];
    assert.deepEqual(linesFor({ knows: { ...nothing, carried: [...several], compared: 3 } }).slice(1), [
      '! “body.text” carries text from a result of mail read:the merger',
      '! “body.text” carries text, written as base64, from a result of mail read, which was given the file name .env:the merger',
      '! “body.text” carries text, written for a URL, from a result of mail read, which was given or names the address news.example:the merger',
    ]);
  });

  it('says that nothing was recognised only where something was compared, and that this proves little', () => {
    assert.deepEqual(linesFor({ knows: { ...nothing, compared: 2, isPartly: true } }).slice(1), [
      'No text of earlier results was recognised in the arguments. Short pieces and other words would not be.',
      'There was too much to compare all of it.',
    ]);
  });

  it('is said to be about the arguments as they were asked for once the person has changed them', () => {
    const texts = (areChanged: boolean): readonly string[] => linesFor({ knows: { ...nothing, compared: 2 } }, false, areChanged);
    assert.deepEqual(
      texts(true).filter((text) => !texts(false).includes(text)),
      ['About the arguments as they were asked for:'],
    );
  });

  it('is remarked beside the field that holds the text, and beside no other', () => {
    const knows = { ...nothing, carried: [carried] };
    assert.deepEqual(
      ['body.text', 'body', 'bo', 'body.text2'].map((path) => carriedRemark(knows, path)),
      ['Carries text from a result of mail read.', 'Carries text from a result of mail read.', undefined, undefined],
    );
  });
});
