import assert from 'node:assert/strict';
import type { SentenceTable } from '../../../../src/base/errors.ts';
import { chatSentenceTable } from '../../../../src/chat/conversation/chatSentences.ts';
import { guideTextTable } from '../../../../src/chat/models/guideTexts.ts';
import { auditErrorTable } from '../../../../src/consent/audit/auditLog.ts';
import { expectedValueTable } from '../../../../src/contract/settings/schemaIssue.ts';
import { settingErrorTable, settingPlaceTable, settingProblemTable } from '../../../../src/contract/settings/settingProblems.ts';
import { definitionErrorTable } from '../../../../src/definitions/definitionErrors.ts';
import { definitionProblemTable } from '../../../../src/definitions/definitionProblems.ts';
import { authErrorTable } from '../../../../src/host/auth/authErrors.ts';
import { connectionErrorTable, hostErrorTable } from '../../../../src/host/shared/hostErrors.ts';
import { calledServerErrorTable, toolRunErrorTable } from '../../../../src/host/tools/runTool.ts';
import { fixTable } from '../../../../src/languageServer/fixTitles.ts';
import { problemTable } from '../../../../src/languageServer/problem.ts';
import { platformErrorTable } from '../../../../src/platform/platformErrors.ts';
import { serverErrorTable } from '../../../../src/server/errors/serverErrors.ts';
import { viewErrorTable } from '../../../../src/views/sentences/viewErrors.ts';
import { gatherTexts } from '../../../support/l10n/gatherTexts.ts';

const tables: readonly SentenceTable[] = [
  ...[chatSentenceTable, guideTextTable, auditErrorTable, expectedValueTable, settingErrorTable, settingPlaceTable, settingProblemTable],
  ...[definitionErrorTable, definitionProblemTable, authErrorTable, connectionErrorTable, hostErrorTable, calledServerErrorTable],
  fixTable,
  ...[toolRunErrorTable, problemTable, platformErrorTable, serverErrorTable, viewErrorTable],
];

describe('Sentences for people', () => {
  const { bundle } = gatherTexts();
  const texts = tables
    .flatMap((table) => Object.values(table))
    .flatMap((sentence) =>
      typeof sentence === 'string' ? [sentence] : [sentence.text, ...('otherwise' in sentence ? [sentence.otherwise] : [])],
    );

  it('are gathered for translators from the tables of all rooms, but for those that are an argument alone', () => {
    assert.deepEqual(
      texts.filter((text) => !Object.hasOwn(bundle, text)),
      ['{kind}', '{reason}', '{reason}'],
    );
  });

  it('name their arguments: numbers would say nothing to a translator', () => {
    assert.deepEqual(
      texts.filter((text) => /\{\d+\}/.test(text)),
      [],
    );
  });

  it('are found by codes of which none stands in two tables', () => {
    const codes = tables.flatMap((table) => Object.keys(table));
    assert.deepEqual(
      codes.filter((code, index) => codes.indexOf(code) !== index),
      [],
    );
  });
});
