import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AppError } from '../../../src/base/errors.ts';
import { prepareRemote, type PreparedRemote, type RemoteContext } from '../../../src/definitions/prepareRemote.ts';
import { readDefinitions } from '../../../src/definitions/readDefinitions.ts';
import { remoteStartRequest } from '../../../src/host/approval/startRequest.ts';
import { createTemporaryFolder } from '../../support/run/temporaryFolder.mjs';

const folder = createTemporaryFolder();
const context: RemoteContext = {
  folders: [{ name: 'shop', path: folder }],
  userHome: '/home/me',
  env: { TOKEN: 's3cret', TRICK: '@evil.example/', BREAK: 'a\r\nX-Evil: 1', SPACE: 'a b' },
};
const inputs = [{ type: 'promptString', id: 'key', password: true, description: 'Your key' }];

async function prepare(definition: object, changes: Partial<RemoteContext> = {}): Promise<PreparedRemote> {
  const reading = readDefinitions([{ scope: 'user', value: { far: definition }, inputs, location: 'user settings' }]);
  const [read] = reading.definitions;
  assert.ok(read?.kind === 'remote', JSON.stringify(reading.problems));
  return prepareRemote(read, { ...context, ...changes });
}

async function failure(definition: object): Promise<AppError> {
  return prepare(definition).then(
    () => assert.fail(`It should fail: ${JSON.stringify(definition)}`),
    (error: unknown) => error as AppError,
  );
}

describe('A remote definition', () => {
  it('has every variable expanded for use and every secret left as its name for people', async () => {
    const remote = await prepare(
      {
        url: 'https://api.example/mcp?k=${input:key}',
        headers: { Authorization: 'Bearer ${env:TOKEN}', 'X-Key': '${input:key}', 'X-Plain': 'as it is' },
        timeout: 5_000,
      },
      { inputs: new Map([['key', 'k3y']]) },
    );
    assert.deepEqual(
      [remote.url.href, remote.headers, remote.type, remote.timeoutMs],
      ['https://api.example/mcp?k=k3y', { Authorization: 'Bearer s3cret', 'X-Key': 'k3y', 'X-Plain': 'as it is' }, 'auto', 5_000],
    );
    const { request, detail } = remoteStartRequest(remote, 'key');
    assert.deepEqual(detail, {
      kind: 'startServer',
      server: 'far',
      holdsIn: 'always',
      configuredIn: 'user settings',
      serverId: remote.definition.id,
      fields: [
        { name: 'url', value: 'https://api.example/mcp?k=${input:key}', isDangerous: false },
        { name: 'host', value: 'api.example', isDangerous: false },
        { name: 'type', value: 'auto', isDangerous: false },
        { name: 'headers.Authorization', value: 'Bearer ${env:TOKEN}', isDangerous: false },
        { name: 'headers.X-Key', value: '${input:key}', isDangerous: false },
        { name: 'headers.X-Plain', value: 'as it is', isDangerous: false },
        { name: 'inputs.key', value: 'password: Your key', isDangerous: false },
        { name: 'timeout', value: '5000 ms', isDangerous: false },
      ],
      disclosures: [
        { name: 'key', destination: 'api.example' },
        { name: 'TOKEN', destination: 'api.example' },
      ],
    });
    assert.ok(!/s3cret|k3y/.test(JSON.stringify([request, detail])));
  });

  it('has the same fingerprint whatever the secrets are, and another for every other change', async () => {
    const base = { url: 'https://api.example/mcp', headers: { A: '${env:TOKEN}' } };
    const printOf = async (definition: object, changes: Partial<RemoteContext> = {}): Promise<string> =>
      remoteStartRequest(await prepare(definition, changes), 'key').request.fingerprint;
    assert.equal(await printOf(base), await printOf(base, { env: { TOKEN: 'another' } }));
    const changed = [
      { ...base, url: 'https://api.example/mcp2' },
      { ...base, url: 'https://evil.example/mcp' },
      { ...base, type: 'sse' },
      { ...base, headers: { A: '${env:OTHER}' } },
      { ...base, headers: { A: '${env:TOKEN}', B: 'x' } },
      { ...base, auth: { clientId: 'me' } },
      { ...base, timeout: 1_000 },
      { ...base, tools: { include: ['a*'] } },
    ];
    const prints = await Promise.all([base, ...changed].map((each) => printOf(each)));
    assert.equal(new Set(prints).size, prints.length);
  });

  it('is refused with a code when its address is not one', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{ url: 'api.example/mcp' }, 'definitions.badUrl'],
      [{ url: 'https://' }, 'definitions.badUrl'],
      [{ url: 'https://api.example/${env:SPACE}' }, 'definitions.badUrl'],
      [{ url: 'file://host/etc/passwd' }, 'definitions.badScheme'],
      [{ url: 'ftp://api.example/' }, 'definitions.badScheme'],
      [{ url: 'https://me:secret@api.example/' }, 'definitions.userInfoInUrl'],
      [{ url: 'https://me@api.example/' }, 'definitions.userInfoInUrl'],
      [{ url: 'https://api.example${env:TRICK}' }, 'definitions.userInfoInUrl'],
      [{ url: 'https://${env:TOKEN}.evil.example/' }, 'definitions.secretInHost'],
      [{ url: 'https://api.example:${env:PORT}/' }, 'definitions.secretInHost'],
      [{ url: 'https://x${input:key}/' }, 'definitions.secretInHost'],
      [{ type: 'ws', url: 'https://api.example/' }, 'definitions.typeDoesNotFit'],
      [{ type: 'http', url: 'wss://api.example/' }, 'definitions.typeDoesNotFit'],
      [{ url: 'https://a.example', headers: { 'bad name': 'x' } }, 'definitions.badHeaderName'],
      [{ url: 'https://a.example', headers: { Host: 'b.example' } }, 'definitions.reservedHeader'],
      [{ url: 'https://a.example', headers: { 'Mcp-Session-Id': 'x' } }, 'definitions.reservedHeader'],
      [{ url: 'https://a.example', headers: { A: 'x', a: 'y' } }, 'definitions.repeatedHeader'],
      [{ url: 'https://a.example', headers: { A: '${env:BREAK}' } }, 'definitions.badHeaderValue'],
      [{ url: 'https://a.example', auth: { clientSecret: 'plain' } }, 'definitions.secretInPlainText'],
      [{ url: 'https://a.example', tls: { cert: '/a.pem' } }, 'definitions.certWithoutKey'],
      [{ url: 'https://a.example', tls: { ca: 'a.pem' } }, 'definitions.tlsPathNotAbsolute'],
      [{ url: 'https://a.example', tls: { ca: '/nonexistent/a.pem' } }, 'definitions.tlsFileUnusable'],
    ];
    const errors = await Promise.all(cases.map(([definition]) => failure(definition)));
    assert.deepEqual(
      errors.map((error) => error.code),
      cases.map(([, code]) => code),
    );
    const told = errors.map((error) => `${error.message} ${JSON.stringify(error.args)}`).join('\n');
    assert.ok(!/s3cret|evil\.example\/$|X-Evil/.test(told), told);
  });

  it('says when secrets would travel unencrypted, and does not permit that by itself', async () => {
    const isExposed = async (url: string): Promise<readonly unknown[]> => {
      const remote = await prepare({ url });
      const field = remoteStartRequest(remote, 'key').detail.fields.find(({ name }) => name === 'encryption');
      assert.equal(remote.mayUseSecretsOverPlainHttp, false);
      return [remote.isUnencrypted, field?.isDangerous === true && /headers, inputs, secrets/.test(field.value)];
    };
    for (const url of ['http://api.example/', 'ws://10.0.0.1/', 'http://localhost.evil.example/', 'http://127.0.0.1.evil.example/']) {
      assert.deepEqual(await isExposed(url), [true, true], url);
    }
    for (const url of [
      'https://api.example/',
      'wss://a.example',
      'http://localhost:1/',
      'http://localhost.:1/',
      'http://127.0.0.1:1',
      'ws://[::1]:1/',
    ]) {
      assert.deepEqual(await isExposed(url), [false, false], url);
    }
  });

  it('names its certificates by path, holds them as they were read, and another authority is asked about again', async () => {
    const [ca, cert, key] = ['ca.pem', 'cert.pem', 'key.pem'].map((name) => path.join(folder, name));
    assert.ok(ca !== undefined && cert !== undefined && key !== undefined);
    await Promise.all([ca, cert, key].map((file) => writeFile(file, '-----BEGIN CERTIFICATE-----\n')));
    const definition = { url: 'https://a.example', tls: { ca: '${workspaceFolder}/ca.pem', cert, key } };
    const first = await prepare(definition);
    const text = '-----BEGIN CERTIFICATE-----\n';
    assert.deepEqual([first.tls?.ca, first.tls?.cert, first.tls?.key], [text, text, text]);
    assert.deepEqual(first.tls?.shown, { ca, cert, key });
    await writeFile(ca, '-----BEGIN CERTIFICATE-----\nanother\n');
    const second = await prepare(definition);
    assert.notEqual(remoteStartRequest(first, 'key').request.fingerprint, remoteStartRequest(second, 'key').request.fingerprint);
  });

  it('keeps `$(…)`, backticks and quotes as plain text', async () => {
    const text = '$(id)`id`"\'';
    const remote = await prepare(
      { url: 'https://a.example/$(id)', headers: { A: text, B: '${env:T}' } },
      { env: { T: '${env:TOKEN}$(id)' } },
    );
    assert.deepEqual([remote.headers, remote.url.pathname], [{ A: text, B: '${env:TOKEN}$(id)' }, '/$(id)']);
  });
});
