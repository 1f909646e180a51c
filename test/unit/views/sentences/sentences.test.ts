import assert from 'node:assert/strict';
import type { ErrorTable } from '../../../../src/base/errors.ts';
import { chatSentenceTable } from '../../../../src/chat/chatSentences.ts';
import { guideTextTable } from '../../../../src/chat/models/guideTexts.ts';
import { settingsErrorTable } from '../../../../src/editor/settingsErrors.ts';
import { serverErrorTable } from '../../../../src/server/errors/serverErrors.ts';
import { chatSentences } from '../../../../src/views/sentences/chatSentences.ts';
import { guideTexts } from '../../../../src/views/sentences/guideTexts.ts';
import { serverSentences } from '../../../../src/views/sentences/serverSentences.ts';
import { settingsSentences } from '../../../../src/views/sentences/settingsSentences.ts';
import type { Translate } from '../../../../src/views/sentences/translate.ts';

/** What an editor in English does. */
const english: Translate = (text, ...args) => text.replace(/\{(\d+)\}/g, (_whole, index: string) => String(args[Number(index)]));

const tables: readonly (readonly [name: string, ours: ErrorTable, shown: ErrorTable])[] = [
  ['the chat', chatSentenceTable, chatSentences(english)],
  ['the offline guide', guideTextTable, guideTexts(english)],
  ["the editor's server", serverErrorTable, serverSentences(english)],
  ['the settings writer', settingsErrorTable, settingsSentences(english)],
];

describe('Sentences for people', () => {
  for (const [name, ours, shown] of tables) {
    it(`say in English what ${name} itself says, argument by argument`, () => {
      assert.deepEqual(spokenOf(shown), spokenOf(ours));
    });
  }
});

/** Each argument shows as its own name, so that a swapped or forgotten one is seen. */
function spokenOf(table: ErrorTable): Record<string, string> {
  const names = new Proxy({}, { get: (_target, name) => `<${String(name)}>` }) as never;
  return Object.fromEntries(Object.entries(table).map(([code, sentence]) => [code, sentence(names)]));
}
