import assert from 'node:assert/strict';
import { errorMaker, isCodeOf, sayBy, sayInEnglish, type Say, type SentenceTable, sentencesOf } from '../../../src/base/errors.ts';

const things = { cat: 'a cat', dog: 'a dog' } as const satisfies SentenceTable;
const thing = (name: string, say: Say): string => (isCodeOf(things, name) ? say(things[name]) : name);

const table = {
  'test.plain': 'It rains.',
  'test.max': 'No more than {max} of {what}.',
  'test.ended': { ifGiven: 'signal', text: 'It ended (signal {signal}).', otherwise: 'It ended (exit code {exitCode}).' },
  'test.wanted': { text: '“{key}” must be {thing}.', words: { thing } },
  'test.braces': 'Takes {server, tool}, and ${workspaceFolder} or ${input:id} in it.',
} as const satisfies SentenceTable;

describe('A sentence with placeholders', () => {
  const english = sentencesOf(table);

  it('is filled in with its arguments, by their names', () => {
    assert.equal(english('test.max', { max: 3, what: 'cats' }), 'No more than 3 of cats.');
    assert.equal(english('test.plain', { max: 3 }), 'It rains.');
  });

  it('takes nothing in an argument for a placeholder, and leaves one that has no argument as it is', () => {
    assert.equal(english('test.max', { max: '{what}', what: '{max}' }), 'No more than {what} of {max}.');
    assert.equal(english('test.max', { max: 3 }), 'No more than 3 of {what}.');
    assert.equal(english('test.max', {}), 'No more than {max} of {what}.');
    assert.equal(english('test.braces'), 'Takes {server, tool}, and ${workspaceFolder} or ${input:id} in it.');
  });

  it('is another one where an argument is not known, or is empty', () => {
    assert.equal(english('test.ended', { signal: 'SIGTERM', exitCode: 'none' }), 'It ended (signal SIGTERM).');
    assert.equal(english('test.ended', { exitCode: '1' }), 'It ended (exit code 1).');
    assert.equal(english('test.ended', { exitCode: '1', signal: '' }), 'It ended (exit code 1).');
  });

  it('says an argument that is a code of its own in words of the same language', () => {
    const texts: Readonly<Record<string, string>> = { '“{key}” must be {thing}.': '„{key}“ muss {thing} sein.', 'a cat': 'eine Katze' };
    const german = sentencesOf(
      table,
      sayBy((text, args) => sayInEnglish(texts[text] ?? text, args)),
    );
    assert.equal(english('test.wanted', { key: 'pet', thing: 'cat' }), '“pet” must be a cat.');
    assert.equal(german('test.wanted', { key: 'pet', thing: 'cat' }), '„pet“ muss eine Katze sein.');
    assert.equal(german('test.wanted', { key: 'pet', thing: 'dog' }), '„pet“ muss a dog sein.');
    assert.equal(german('test.wanted', { key: 'pet', thing: 'bird' }), '„pet“ muss bird sein.');
  });
});

describe('An error of a table', () => {
  const make = errorMaker({ ...table, 'test.forClients': ({ role }: { role: string }) => `needs the role ${role}` });

  it('has its sentence in English as its message, and goes with what makes it in another language', () => {
    const { code, message, args, sentence, detail } = make('test.max', { max: 3, what: 'cats' }, { detail: 'more' });
    assert.deepEqual(
      [code, message, args, sentence, detail],
      ['test.max', 'No more than 3 of cats.', { max: 3, what: 'cats' }, table['test.max'], 'more'],
    );
  });

  it('that only clients read has no sentence to be translated', () => {
    const { message, sentence } = make('test.forClients', { role: 'runner' });
    assert.deepEqual([message, sentence], ['needs the role runner', undefined]);
  });
});
