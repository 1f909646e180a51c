import assert from 'node:assert/strict';
import { describeProblem, describePolicyProblem, type SettingProblem } from '../../../../src/contract/settings/settingProblems.ts';
import { readSetting } from '../../../../src/contract/settings/readSetting.ts';
import { readDefinitions } from '../../../../src/definitions/readDefinitions.ts';
import { calledServerError } from '../../../../src/host/tools/runTool.ts';
import { dataOf, problemTable } from '../../../../src/languageServer/problem.ts';
import { validate } from '../../../../src/languageServer/checks/validate.ts';
import { platformError } from '../../../../src/platform/platformErrors.ts';
import { readTlsMaterial } from '../../../../src/server/wire/http/tlsMaterial.ts';
import { sentenceOfData, sentenceOfError } from '../../../../src/views/sentences/translate.ts';
import { definitionProblemTable } from '../../../../src/definitions/definitionProblems.ts';
import { isCodeOf } from '../../../../src/base/errors.ts';
import { sayingIn } from './otherLanguage.ts';

const german = sayingIn({
  'a whole number': 'eine ganze Zahl',
  'a text': 'ein Text',
  'duplex.server.tls is malformed: {problems}.': 'duplex.server.tls ist fehlerhaft: {problems}.',
  'The server “{server}” is not running. {reason}': '„{server}“ läuft nicht. {reason}',
  'entry {number}': 'Eintrag {number}',
  'rule {number}': 'Regel {number}',
  it: 'sie',
  'Another window keeps {file} locked.': 'Ein anderes Fenster sperrt {file}.',
  '{place} must be an ISO date': '{place} muss ein ISO-Datum sein',
  '{place} must be {expected}': '{place} muss {expected} sein',
  '“{key}” must be {expected}.': '„{key}“ muss {expected} sein.',
  '“{name}”: {field} must be {expected}.': '„{name}“: {field} muss {expected} sein.',
});

describe('What people read', () => {
  it('about a failure is in their language', () => {
    assert.equal(sentenceOfError(platformError('storage.locked', { file: 'ledger' }), german), 'Ein anderes Fenster sperrt ledger.');
  });

  it('about a failure with a reason of ours is in their language, reason included', () => {
    const cause = platformError('storage.locked', { file: 'ledger' });
    const error = calledServerError('runTool.startFailed', { server: 'demo', reason: cause.message }, { cause });
    assert.equal(sentenceOfError(error, german), '„demo“ läuft nicht. Ein anderes Fenster sperrt ledger.');
  });

  it('about the certificate of the server is in their language, each problem of it', async () => {
    const error: unknown = await readTlsMaterial(readSetting('duplex.server.tls', { cert: 3, key: 4 })).catch((reason: unknown) => reason);
    assert.equal(
      sentenceOfError(error, german),
      'duplex.server.tls ist fehlerhaft: "cert" in duplex.server.tls muss ein Text sein; "key" in duplex.server.tls muss ein Text sein.',
    );
  });

  it('about a failure that is not ours is in its own words', () => {
    assert.equal(sentenceOfError(new Error('EACCES: permission denied'), german), 'EACCES: permission denied');
    assert.equal(sentenceOfError('plain', german), 'plain');
  });

  it('about a definition is in their language, with what a field must be', () => {
    const { problems } = readDefinitions([{ scope: 'user', value: { demo: { command: 'x', timeout: 1000.5 } }, location: '' }]);
    assert.deepEqual(
      problems.map(({ code, args }) => isCodeOf(definitionProblemTable, code) && german(definitionProblemTable[code], args)),
      ['„demo“: timeout muss eine ganze Zahl sein.'],
    );
  });

  it('about a setting is in their language, with its place', () => {
    const [problem] = policyProblems([{ effect: 'deny', until: 'soon' }]);
    assert.ok(problem);
    assert.equal(
      describeProblem('duplex.server.policy', problem, german),
      'Eintrag 1, "until" in duplex.server.policy muss ein ISO-Datum sein',
    );
    assert.equal(describePolicyProblem(problem, german), 'Regel 1: until: muss ein ISO-Datum sein');
    const [whole] = policyProblems('deny');
    assert.ok(whole);
    assert.equal(describePolicyProblem(whole, german), 'sie muss an array sein');
  });

  it('about a configuration file is in their language, from what the language server sends', () => {
    const [problem] = validate('{"mcpServers": {"demo": {"command": "x", "timeout": 1000.5}}}', 'mcpJson');
    assert.ok(problem);
    const sent: unknown = JSON.parse(JSON.stringify(dataOf(problem)));
    assert.equal(sentenceOfData(sent, problemTable, german), '„timeout“ muss eine ganze Zahl sein.');
  });

  it('about a configuration file is left alone when nothing of the language server goes with it', () => {
    for (const data of [undefined, null, 'wrongType', {}, { code: 'toString', args: {} }, { code: 'wrongType' }, { code: 3, args: {} }]) {
      assert.equal(sentenceOfData(data, problemTable, german), undefined, JSON.stringify(data));
    }
  });
});

function policyProblems(value: unknown): readonly SettingProblem[] {
  const reading = readSetting('duplex.server.policy', value);
  return reading.kind === 'malformed' ? reading.problems : [];
}
