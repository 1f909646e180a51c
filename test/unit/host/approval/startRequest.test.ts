import assert from 'node:assert/strict';
import { prepareLaunch } from '../../../../src/definitions/prepareLaunch.ts';
import { prepareRemote } from '../../../../src/definitions/prepareRemote.ts';
import { readDefinitions } from '../../../../src/definitions/readDefinitions.ts';
import { remoteStartRequest, startRequest, type StartRequest } from '../../../../src/host/approval/startRequest.ts';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

const folder = createTemporaryFolder();

async function requestOf(value: object, env: Readonly<Record<string, string>>): Promise<StartRequest> {
  const [definition] = readDefinitions([{ scope: 'user', value: { it: value }, location: 'user settings' }]).definitions;
  assert.ok(definition);
  const context = { folders: [{ name: 'shop', path: folder }], userHome: folder, env };
  const local = { ...context, platform: 'linux', path: process.env['PATH'] ?? '', isPathFinal: true } as const;
  return definition.kind === 'stdio'
    ? startRequest(await prepareLaunch(definition, local), 'key')
    : remoteStartRequest(await prepareRemote(definition, context), 'key');
}

describe('The question about a start', () => {
  it('names the variables that are not set, and is the same question once they are', async () => {
    const unsetIn = ({ detail }: StartRequest): readonly string[] =>
      detail.fields.filter(({ name }) => name === 'not set').map(({ value }) => value.split(': ')[0] ?? '');
    const local = { command: process.execPath, args: ['${env:API_KEY}'], env: { A: '${env:API_KEY}', B: '${env:OTHER}' } };
    const remote = { url: 'https://example.com/mcp', headers: { 'X-Key': '${env:API_KEY}' } };
    const before = [await requestOf(local, {}), await requestOf(remote, {})];
    const after = [await requestOf(local, { API_KEY: 'k', OTHER: '' }), await requestOf(remote, { API_KEY: 'k' })];
    assert.deepEqual(before.map(unsetIn), [['${env:API_KEY}', '${env:OTHER}'], ['${env:API_KEY}']]);
    assert.deepEqual(after.map(unsetIn), [[], []]);
    assert.deepEqual(
      before.map(({ request }) => request.fingerprint),
      after.map(({ request }) => request.fingerprint),
    );
  });

  it('tells a variable that is taken away from one whose value only says so', async () => {
    const { detail } = await requestOf({ command: process.execPath, env: { GONE: null, SAID: '(removed)' } }, {});
    assert.deepEqual(
      detail.fields.filter(({ name }) => name.startsWith('env.')).map(({ name, value, note }) => [name, value, note]),
      [
        ['env.GONE', '', 'removed'],
        ['env.SAID', '(removed)', undefined],
      ],
    );
  });
});
