import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../../src/base/json.ts';
import { type Blank, findBlanks } from '../../../../src/definitions/pasted/blanks.ts';
import { fillDefinition, type FilledDefinition } from '../../../../src/definitions/pasted/newInputs.ts';
import { readDefinitions } from '../../../../src/definitions/readDefinitions.ts';

const token = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';

/** Each blank as `?label` for what is missing and `!label` for a secret; `*` behind it when it is asked for like a password. */
function blanksOf(definition: JsonObject): readonly string[] {
  return findBlanks(definition).map(({ kind, label, isSecret }) => `${kind === 'missing' ? '?' : '!'}${label}${isSecret ? '*' : ''}`);
}

describe('What is missing in a pasted definition', () => {
  for (const [definition, expected] of [
    [{ command: 'x', env: { GITHUB_TOKEN: '<YOUR_TOKEN>', REGION: '<region>' } }, ['?GITHUB_TOKEN*', '?REGION']],
    [{ command: 'x', env: { API_KEY: 'YOUR_API_KEY', OTHER: 'your-value-here' } }, ['?API_KEY*', '?OTHER']],
    [{ command: 'x', env: { API_KEY: '', HOST: '', N: 3, O: null } }, ['?API_KEY*', '?HOST']],
    [
      { command: 'x', env: { API_KEY: 'API_KEY', B_TOKEN: 'token', C_SECRET: 'xxx', D_KEY: 'sk-...' } },
      ['?API_KEY*', '?B_TOKEN*', '?C_SECRET*', '?D_KEY*'],
    ],
    [
      { command: 'x', env: { A: '{{token}}', B: '{API_KEY}', C: '[YOUR_KEY]', D: 'INSERT_KEY_HERE', E: 'changeme' } },
      ['?A*', '?B*', '?C*', '?D*', '?E'],
    ],
    [{ command: 'x', args: ['--api-key', 'YOUR_API_KEY', '--root', '/path/to/dir'] }, ['?api-key*', '?root']],
    [
      { command: 'x', args: ['-y', 'server', '/Users/username/Desktop', '/path/to/other'] },
      ['?/Users/username/Desktop', '?/path/to/other'],
    ],
    [{ command: 'x', args: ['--token=<TOKEN>'] }, ['?token*']],
    [{ url: 'https://a.example/mcp?key=YOUR_KEY' }, ['?key*']],
    [{ url: 'https://a.example', headers: { Authorization: 'Bearer <token>', 'X-Id': '' } }, ['?Authorization*', '?X-Id']],
    [{ command: 'go', args: ['run', './...', '*.{js,ts}', '--', '${workspaceFolder}'], env: { A: '${env:X}', MODE: 'xml' } }, []],
    [{ command: 'npx', args: ['-y', 'my-server', 'your'], env: { LEVEL: 'debug', DEBUG: '1' } }, []],
  ] as const) {
    it(`is found: ${JSON.stringify(definition).slice(0, 100)}`, () => {
      assert.deepEqual(blanksOf(definition as unknown as JsonObject), expected);
    });
  }
});

describe('A secret in a pasted definition', () => {
  for (const [definition, expected] of [
    [{ command: 'x', env: { GITHUB_TOKEN: token, MAX_TOKENS: '8192', KEY_FILE: '/a/b' } }, ['!GITHUB_TOKEN*']],
    [{ command: 'x', env: { PASSWORD: 'p@ss w0rd!', URL: 'postgres://me:hunter2@db/x' } }, ['!PASSWORD*', '!URL*']],
    [{ command: 'x', args: ['--token', token, `--key=${token}`] }, ['!token*', '!key*']],
    [{ command: 'npx', args: ['mcp-remote', 'https://a.example', '--header', `Authorization: Bearer ${token}`] }, ['!header*']],
    [{ url: `https://a.example/mcp?api_key=${token}` }, ['!api_key*']],
    [{ url: 'https://a.example', headers: { 'X-Api-Key': 'abc-123', Accept: 'text/plain' } }, ['!X-Api-Key*']],
    [{ url: 'https://a.example', auth: { clientId: 'id', clientSecret: 'shh' } }, ['!clientSecret*']],
    [{ command: 'x', env: { GITHUB_TOKEN: '${env:GITHUB_TOKEN}' } }, []],
    [{ command: 'docker', args: ['run', '-e', 'A_PASSWORD', 'image'], env: { A_PASSWORD: 'hunter2' } }, ['!A_PASSWORD*']],
    [{ command: 'sh', args: ['-c', 'x --t $A_TOKEN'], env: { A_TOKEN: token } }, ['!A_TOKEN*']],
  ] as const) {
    it(`is found: ${JSON.stringify(definition).slice(0, 100)}`, () => {
      assert.deepEqual(blanksOf(definition as unknown as JsonObject), expected);
    });
  }

  it('stays in view where it may be code: a variable that decides what runs, or one that another text names', () => {
    assert.deepEqual(blanksOf({ command: 'sh', args: ['-c', 'eval $RUN_KEY'], env: { RUN_KEY: 'curl evil' } }), []);
    assert.deepEqual(blanksOf({ command: 'sh', args: ['-c', 'eval $1', '-e', 'RUN_KEY'], env: { RUN_KEY: 'curl evil' } }), []);
    assert.deepEqual(blanksOf({ command: 'x', env: { NODE_AUTH_TOKEN: token, LD_SECRET: 'x.so' } }), []);
    assert.deepEqual(blanksOf({ command: 'sh', args: ['-c', 'npx -y $1', '--token', token] }), []);
  });
});

describe('A pasted definition that is filled in', () => {
  const fill = (
    definition: JsonObject,
    answers: Readonly<Record<string, string>> = {},
    given: readonly JsonValue[] = [],
    configured: readonly JsonValue[] = [],
  ): FilledDefinition => {
    const blanks = findBlanks(definition);
    const map = new Map<Blank, string>(
      blanks.flatMap((blank) => (answers[blank.label] === undefined ? [] : [[blank, answers[blank.label] ?? '']])),
    );
    return fillDefinition(definition, blanks, map, { name: 'git hub', given, configured });
  };
  const input = (id: string, description: string): JsonObject => ({ id, type: 'promptString', description, password: true });

  it('has its secrets in inputs, each with its value beside the settings', () => {
    const filled = fill({ command: 'x', env: { TOKEN: token, LEVEL: 'debug' } });
    assert.deepEqual(filled, {
      definition: { command: 'x', env: { TOKEN: '${input:git-hub-TOKEN}', LEVEL: 'debug' } },
      inputs: [input('git-hub-TOKEN', 'TOKEN')],
      values: new Map([['git-hub-TOKEN', token]]),
    });
    assert.ok(!JSON.stringify([filled.definition, filled.inputs]).includes(token));
  });

  it('keeps the words around a secret, and has one input for the same secret', () => {
    const { definition, inputs, values } = fill({
      url: 'https://a.example',
      headers: { Authorization: `Bearer ${token}`, 'X-Token': token },
    });
    const id = 'git-hub-Authorization';
    assert.deepEqual(definition['headers'], { Authorization: `Bearer \${input:${id}}`, 'X-Token': `\${input:${id}}` });
    assert.deepEqual([inputs.length, [...values]], [1, [[id, token]]]);
  });

  it('has the answers in it, the secret ones as inputs, and what was left out for the start to ask', () => {
    const definition = { command: 'x', args: ['--root', '/path/to/x'], env: { A_KEY: '<key>', B: '<b>', C: '<c>', D: '' } };
    const filled = fill(definition, { root: '/data', A_KEY: 'k1', B: 'bee', D: '' });
    assert.deepEqual(filled, {
      definition: {
        command: 'x',
        args: ['--root', '/data'],
        env: { A_KEY: '${input:git-hub-A_KEY}', B: 'bee', C: '${input:git-hub-C}', D: '' },
      },
      inputs: [input('git-hub-A_KEY', 'A_KEY'), { id: 'git-hub-C', type: 'promptString', description: 'C' }],
      values: new Map([['git-hub-A_KEY', 'k1']]),
    });
  });

  it('has no input in the host of its address', () => {
    const { definition, inputs } = fill({ url: 'https://<tenant>.example/<key>' }, { tenant: 'acme', key: 'k1' });
    assert.deepEqual([definition['url'], inputs.map(({ id }) => id)], ['https://acme.example/${input:git-hub-key}', ['git-hub-key']]);
  });

  it('takes the inputs that came with it, makes those that did not, and changes none that is configured', () => {
    const definition = { command: 'x', env: { A: '${input:token}', B: '${input:other}', C: '${input:new_key}' } };
    const token_ = { type: 'promptString', id: 'token', description: 'The token', password: true };
    const other = { type: 'pickString', id: 'other', options: ['a'] };
    const filled = fill(definition, {}, [token_, other], [{ ...token_, description: 'Of another server' }, other]);
    assert.deepEqual(filled.definition['env'], { A: '${input:token-2}', B: '${input:other}', C: '${input:new_key}' });
    assert.deepEqual(filled.inputs, [{ ...token_, id: 'token-2' }, other, { id: 'new_key', type: 'promptString', password: true }]);
  });

  it('is one that can be read from settings', () => {
    const { definition, inputs } = fill({ command: 'x', args: ['--token', '<t>'], env: { A: '<a>', PASSWORD: 'p' } }, { A: '1' });
    const { definitions, problems } = readDefinitions([{ scope: 'user', value: { x: definition }, inputs, location: '' }]);
    assert.deepEqual([definitions.length, problems], [1, []]);
  });
});
