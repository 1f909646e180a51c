import assert from 'node:assert/strict';
import { describeProblem, describePolicyProblem, type SettingProblem } from '../../../../src/contract/settings/settingProblems.ts';
import { readSetting } from '../../../../src/contract/settings/readSetting.ts';
import { readDefinitions } from '../../../../src/definitions/readDefinitions.ts';
import { calledServerError } from '../../../../src/host/tools/runTool.ts';
import { dataOf } from '../../../../src/languageServer/problem.ts';
import { validate } from '../../../../src/languageServer/validate.ts';
import { platformError } from '../../../../src/platform/platformErrors.ts';
import { readTlsMaterial } from '../../../../src/server/wire/http/tlsMaterial.ts';
import { configurationSentence } from '../../../../src/views/sentences/configurationSentences.ts';
import { sentenceOf, sentenceOfProblem } from '../../../../src/views/sentences/sentenceOf.ts';
import { settingWords } from '../../../../src/views/sentences/settingSentences.ts';
import { translating } from './otherLanguage.ts';

const german = translating({
  'a whole number': 'eine ganze Zahl',
  'a text': 'ein Text',
  'duplex.server.tls is malformed: {0}.': 'duplex.server.tls ist fehlerhaft: {0}.',
  'The server “{0}” is not running. {1}': '„{0}“ läuft nicht. {1}',
  'entry {0}': 'Eintrag {0}',
  'rule {0}': 'Regel {0}',
  it: 'sie',
  'Another window keeps {0} locked.': 'Ein anderes Fenster sperrt {0}.',
  '{0} must be an ISO date': '{0} muss ein ISO-Datum sein',
  '{0} must be {1}': '{0} muss {1} sein',
  '“{0}” must be {1}.': '„{0}“ muss {1} sein.',
  '“{0}”: {1} must be {2}.': '„{0}“: {1} muss {2} sein.',
});

describe('What people read', () => {
  it('about a failure is in their language', () => {
    assert.equal(sentenceOf(platformError('storage.locked', { file: 'ledger' }), german), 'Ein anderes Fenster sperrt ledger.');
  });

  it('about a failure with a reason of ours is in their language, reason included', () => {
    const cause = platformError('storage.locked', { file: 'ledger' });
    const error = calledServerError('runTool.startFailed', { server: 'demo', reason: cause.message }, { cause });
    assert.equal(sentenceOf(error, german), '„demo“ läuft nicht. Ein anderes Fenster sperrt ledger.');
  });

  it('about the certificate of the server is in their language, each problem of it', async () => {
    const error: unknown = await readTlsMaterial(readSetting('duplex.server.tls', { cert: 3, key: 4 })).catch((reason: unknown) => reason);
    assert.equal(
      sentenceOf(error, german),
      'duplex.server.tls ist fehlerhaft: "cert" in duplex.server.tls muss ein Text sein; "key" in duplex.server.tls muss ein Text sein.',
    );
  });

  it('about a failure that is not ours is in its own words', () => {
    assert.equal(sentenceOf(new Error('EACCES: permission denied'), german), 'EACCES: permission denied');
    assert.equal(sentenceOf('plain', german), 'plain');
  });

  it('about a definition is in their language, with what a field must be', () => {
    const { problems } = readDefinitions([{ scope: 'user', value: { demo: { command: 'x', timeout: 1000.5 } }, location: '' }]);
    assert.deepEqual(
      problems.map((problem) => sentenceOfProblem(problem, german)),
      ['„demo“: timeout muss eine ganze Zahl sein.'],
    );
  });

  it('about a setting is in their language, with its place', () => {
    const [problem] = policyProblems([{ effect: 'deny', until: 'soon' }]);
    assert.ok(problem);
    const words = settingWords(german);
    assert.equal(
      describeProblem('duplex.server.policy', problem, words),
      'Eintrag 1, "until" in duplex.server.policy muss ein ISO-Datum sein',
    );
    assert.equal(describePolicyProblem(problem, words), 'Regel 1: until: muss ein ISO-Datum sein');
    const [whole] = policyProblems('deny');
    assert.ok(whole);
    assert.equal(describePolicyProblem(whole, words), 'sie muss an array sein');
  });

  it('about a configuration file is in their language, from what the language server sends', () => {
    const [problem] = validate('{"mcpServers": {"demo": {"command": "x", "timeout": 1000.5}}}', 'mcpJson');
    assert.ok(problem);
    const sent: unknown = JSON.parse(JSON.stringify(dataOf(problem)));
    assert.equal(configurationSentence(sent, german), '„timeout“ muss eine ganze Zahl sein.');
  });

  it('about a configuration file is left alone when nothing of the language server goes with it', () => {
    for (const data of [undefined, null, 'wrongType', {}, { code: 'toString', args: {} }, { code: 'wrongType' }, { code: 3, args: {} }]) {
      assert.equal(configurationSentence(data, german), undefined, JSON.stringify(data));
    }
  });
});

function policyProblems(value: unknown): readonly SettingProblem[] {
  const reading = readSetting('duplex.server.policy', value);
  return reading.kind === 'malformed' ? reading.problems : [];
}
