import assert from 'node:assert/strict';
import type { CallKnowledge, CarriedText } from '../../../../../src/contract/questions/callKnowledge.ts';
import type { CallToolQuestion } from '../../../../../src/contract/questions/toolQuestions.ts';
import {
  carriedRemark,
  type Known,
  knownLines,
  knownOfAct,
  knownOfCall,
} from '../../../../../src/webview/question/details/knowledgeTexts.ts';

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

function detailWith(more: Partial<CallToolQuestion>): CallToolQuestion {
  return {
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
}

function linesFor(more: Partial<CallToolQuestion>, hasChanged = false, areArgumentsChanged = false): readonly string[] {
  return knownLines(detailWith(more), hasChanged ? 'It has changed.' : undefined, areArgumentsChanged).map(
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
    assert.deepEqual(linesFor({ claims: ['readOnly'] }, true).slice(1), ['The server claims: read-only', '! It has changed.']);
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
      'No text of earlier results was recognised in the arguments. Short pieces, other words and most codes would not be.',
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

  const worstOf = ({ worst: { text, isWarning }, isFinding }: Known): string =>
    `${isFinding ? 'open: ' : ''}${isWarning ? '▲ ' : ''}${text}`;
  const worstFor = (more: Partial<CallToolQuestion>, change?: string): string => worstOf(knownOfCall(detailWith(more), [], change, false));

  it('is told by the worst of it, and only what was found in the arguments opens it', () => {
    const withCarried = (...found: CarriedText[]): Partial<CallToolQuestion> => ({
      risk: 'runsCode',
      knows: { ...nothing, carried: found },
    });
    assert.deepEqual(
      [
        worstFor(withCarried({ ...carried, server: 'demo' })),
        worstFor(withCarried({ ...carried, server: 'demo' }, carried)),
        worstFor(withCarried(carried, { ...carried, source: { kind: 'withheldFile', name: '.env' } })),
        worstFor({}, 'It has changed.'),
      ],
      [
        'open: ▲ carries text from an earlier result of this server',
        'open: ▲ carries text from another server',
        'open: ▲ carries text from a file that may hold secrets',
        '▲ changed since you last allowed it',
      ],
    );
    assert.deepEqual(
      [
        worstFor({ risk: 'runsCode' }),
        worstFor({ risk: 'changesEditor' }),
        worstFor({ claims: ['openWorld', 'destructive'] }),
        worstFor({ claims: ['changesThings'] }),
        worstFor({ knows: { ...nothing, place: { kind: 'remote', host: 'api.example' } } }),
        worstFor({ claims: ['openWorld'] }),
        worstFor({ knows: { ...nothing, isPartly: true } }),
        worstFor({ claims: ['readOnly'] }),
      ],
      [
        'runs code on this machine',
        'writes',
        'may destroy or overwrite, as the server claims',
        'writes, as the server claims',
        'reaches the network',
        'reaches the network, as the server claims',
        'too much to compare all of it',
        'nothing unusual',
      ],
    );
    assert.equal(worstOf(knownOfAct({ ...nothing, carried: [carried] })), 'open: ▲ carries text from another server');
    assert.equal(worstOf(knownOfAct(nothing)), 'nothing unusual');
  });

  it('begins with what was found, whatever else there is to say', () => {
    const { lines } = knownOfCall(detailWith({ knows: { ...nothing, carried: [carried] } }), ['Standing.'], undefined, true);
    assert.deepEqual(
      lines.map(({ isWarning }) => isWarning),
      [true, true, false, false],
    );
    assert.equal(lines[0]?.text, 'About the arguments as they were asked for:');
  });
});
