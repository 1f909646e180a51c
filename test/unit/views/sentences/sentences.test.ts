import assert from 'node:assert/strict';
import type { ErrorTable } from '../../../../src/base/errors.ts';
import { chatSentenceTable } from '../../../../src/chat/conversation/chatSentences.ts';
import { guideTextTable } from '../../../../src/chat/models/guideTexts.ts';
import { serverErrorTable } from '../../../../src/server/errors/serverErrors.ts';
import { expectedValueTable } from '../../../../src/contract/settings/schemaIssue.ts';
import { settingErrorTable, settingPlaceTable, settingProblemTable } from '../../../../src/contract/settings/settingProblems.ts';
import { definitionErrorTable } from '../../../../src/definitions/definitionErrors.ts';
import { definitionProblemTable } from '../../../../src/definitions/definitionProblems.ts';
import { calledServerErrorTable, toolRunErrorTable } from '../../../../src/host/tools/runTool.ts';
import { problemTable } from '../../../../src/languageServer/problem.ts';
import { platformErrorTable } from '../../../../src/platform/platformErrors.ts';
import { authErrorTable } from '../../../../src/host/auth/authErrors.ts';
import { connectionErrorTable, hostErrorTable } from '../../../../src/host/shared/hostErrors.ts';
import { authSentences } from '../../../../src/views/sentences/authSentences.ts';
import { chatSentences } from '../../../../src/views/sentences/chatSentences.ts';
import { configurationSentences } from '../../../../src/views/sentences/configurationSentences.ts';
import { definitionProblemSentences } from '../../../../src/views/sentences/definitionProblemSentences.ts';
import { definitionSentences } from '../../../../src/views/sentences/definitionSentences.ts';
import { expectedValues } from '../../../../src/views/sentences/expectedValues.ts';
import { connectionSentences } from '../../../../src/views/sentences/connectionSentences.ts';
import { guideTexts } from '../../../../src/views/sentences/guideTexts.ts';
import { serverSentences } from '../../../../src/views/sentences/serverSentences.ts';
import { platformSentences } from '../../../../src/views/sentences/platformSentences.ts';
import { settingErrorSentences, settingPlaces, settingProblemSentences } from '../../../../src/views/sentences/settingSentences.ts';
import { calledServerSentences, toolRunSentences } from '../../../../src/views/sentences/toolRunSentences.ts';
import { hostSentences } from '../../../../src/views/sentences/hostSentences.ts';
import type { Translate } from '../../../../src/views/sentences/translate.ts';
import { viewSentences } from '../../../../src/views/sentences/viewSentences.ts';
import { viewErrorTable } from '../../../../src/views/sentences/viewErrors.ts';

/** What an editor in English does. */
const english: Translate = (text, ...args) => text.replace(/\{(\d+)\}/g, (_whole, index: string) => String(args[Number(index)]));

const tables: readonly (readonly [name: string, ours: ErrorTable, shown: ErrorTable])[] = [
  ['the chat', chatSentenceTable, chatSentences(english)],
  ['the offline guide', guideTextTable, guideTexts(english)],
  ["the editor's server", serverErrorTable, serverSentences(english)],
  ['a definition', definitionErrorTable, definitionSentences(english)],
  ['the reading of definitions', definitionProblemTable, definitionProblemSentences(english)],
  ['the language server', problemTable, configurationSentences(english)],
  ['a setting', settingProblemTable, settingProblemSentences(english)],
  ['the place in a setting', settingPlaceTable, settingPlaces(english)],
  ['a setting that cannot be changed', settingErrorTable, settingErrorSentences(english)],
  ['an expected value', expectedValueTable, expectedValues(english)],
  ['this machine', platformErrorTable, platformSentences(english)],
  ['the call of a tool', toolRunErrorTable, toolRunSentences(english)],
  ['a server that is called by its name', calledServerErrorTable, calledServerSentences(english)],
  ['a view', viewErrorTable, viewSentences(english)],
  ['the host', hostErrorTable, hostSentences(english)],
  ['a connection', connectionErrorTable, connectionSentences(english)],
  ['a sign-in', authErrorTable, authSentences(english)],
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

  it('are found by codes of which none stands in two tables', () => {
    const codes = tables.flatMap(([, ours]) => Object.keys(ours));
    assert.deepEqual(
      codes.filter((code, index) => codes.indexOf(code) !== index),
      [],
    );
  });
});

function spokenOf(table: ErrorTable, args: object): Record<string, string> {
  return Object.fromEntries(Object.entries(table).map(([code, sentence]) => [code, sentence(args as never)]));
}
