import assert from 'node:assert/strict';
import type { ErrorTable } from '../../../../src/base/errors.ts';
import { chatSentenceTable } from '../../../../src/chat/chatSentences.ts';
import { guideTextTable } from '../../../../src/chat/models/guideTexts.ts';
import { authErrorTable } from '../../../../src/host/auth/authErrors.ts';
import { connectionErrorTable, hostErrorTable } from '../../../../src/host/hostErrors.ts';
import { authSentences } from '../../../../src/views/sentences/authSentences.ts';
import { chatSentences } from '../../../../src/views/sentences/chatSentences.ts';
import { connectionSentences } from '../../../../src/views/sentences/connectionSentences.ts';
import { guideTexts } from '../../../../src/views/sentences/guideTexts.ts';
import { hostSentences } from '../../../../src/views/sentences/hostSentences.ts';
import type { Translate } from '../../../../src/views/sentences/translate.ts';
import { viewSentences } from '../../../../src/views/sentences/viewSentences.ts';
import { viewErrorTable } from '../../../../src/views/viewErrors.ts';

/** What an editor in English does. */
const english: Translate = (text, ...args) => text.replace(/\{(\d+)\}/g, (_whole, index: string) => String(args[Number(index)]));

const tables: readonly (readonly [name: string, ours: ErrorTable, shown: ErrorTable])[] = [
  ['the chat', chatSentenceTable, chatSentences(english)],
  ['the offline guide', guideTextTable, guideTexts(english)],
  ['the host', hostErrorTable, hostSentences(english)],
  ['a connection', connectionErrorTable, connectionSentences(english)],
  ['a sign-in', authErrorTable, authSentences(english)],
  ['a view', viewErrorTable, viewSentences(english)],
];

/** Each argument shows as its own name, so that a swapped or forgotten one is seen. */
const named = new Proxy({}, { get: (_target, name) => `<${String(name)}>` });
const unknown = {};

describe('Sentences for people', () => {
  for (const [name, ours, shown] of tables) {
    it(`say in English what ${name} itself says, argument by argument`, () => {
      assert.deepEqual(spokenOf(shown, named), spokenOf(ours, named));
      // Some sentences are shorter where an argument is not known.
      assert.deepEqual(spokenOf(shown, unknown), spokenOf(ours, unknown));
    });
  }
});

function spokenOf(table: ErrorTable, args: object): Record<string, string> {
  return Object.fromEntries(Object.entries(table).map(([code, sentence]) => [code, sentence(args as never)]));
}
