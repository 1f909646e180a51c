import assert from 'node:assert/strict';
import type { FormValues } from '../../../src/contract/forms/formFields.ts';
import { installFields } from '../../../src/registry/installForm.ts';
import { type InstallWay, waysOf } from '../../../src/registry/installWays.ts';
import { markedBy, newServer } from '../../../src/registry/newServer.ts';
import { readEntry } from '../../../src/registry/serverJson.ts';
import { knownServers, listed, npm } from '../../fixtures/registry/entries.ts';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

function wayOf(raw: unknown): InstallWay {
  const entry = readEntry(raw);
  const [way] = entry === undefined ? [] : waysOf(entry);
  assert.ok(way !== undefined);
  return way;
}

function ofPackage(each: Readonly<Record<string, unknown>>): InstallWay {
  return wayOf(listed('io.example/demo', { packages: [{ transport: { type: 'stdio' }, ...each }] }));
}

function ofRemote(remote: Readonly<Record<string, unknown>>): InstallWay {
  return wayOf(listed('io.example/demo', { remotes: [{ type: 'streamable-http', ...remote }] }));
}

function written(way: InstallWay, values: FormValues = {}): unknown {
  return newServer({ name: 'demo', way, values, configured: [] }).definition;
}

function known(name: string): InstallWay {
  return wayOf(knownServers.find(({ server }) => server.name.endsWith(name)));
}

describe('newServer', () => {
  it('runs each kind of package by its program, in its exact version', () => {
    assert.deepEqual(
      [
        written(ofPackage({ registryType: 'npm', identifier: '@scope/tool', version: '1.2.3-beta.1' })),
        written(ofPackage({ registryType: 'pypi', identifier: 'tool', version: '1.2' })),
        written(
          ofPackage({
            registryType: 'nuget',
            identifier: 'Tool.Mcp',
            version: '1.2.3',
            packageArguments: [{ type: 'positional', value: '--stdio' }],
          }),
        ),
        written(
          ofPackage({
            registryType: 'oci',
            identifier: 'ghcr.io/owner/tool:1.2.3',
            environmentVariables: [{ name: 'MODE', value: 'quiet' }],
          }),
        ),
        written(ofPackage({ registryType: 'oci', identifier: `registry.example:5000/tool@${digest}` })),
        written(ofPackage({ registryType: 'oci', identifier: 'docker.io/owner/tool', version: '1.2.3' })),
      ],
      [
        { command: 'npx', args: ['-y', '@scope/tool@1.2.3-beta.1'] },
        { command: 'uvx', args: ['tool@1.2'] },
        { command: 'dnx', args: ['Tool.Mcp@1.2.3', '--yes', '--', '--stdio'] },
        { command: 'docker', args: ['run', '-i', '--rm', '-e', 'MODE', 'ghcr.io/owner/tool:1.2.3'], env: { MODE: 'quiet' } },
        { command: 'docker', args: ['run', '-i', '--rm', `registry.example:5000/tool@${digest}`] },
        { command: 'docker', args: ['run', '-i', '--rm', 'docker.io/owner/tool:1.2.3'] },
      ],
    );
  });

  it('marks a program by its entry, and no address', () => {
    const marked = (way: InstallWay): unknown =>
      markedBy({ name: 'io.example/demo' }, newServer({ name: 'demo', way, values: {}, configured: [] })).definition;
    assert.deepEqual(
      [
        marked(ofPackage({ registryType: 'pypi', identifier: 'tool', version: '1.2' })),
        marked(ofRemote({ url: 'https://demo.example/mcp' })),
      ],
      [
        { command: 'uvx', args: ['tool@1.2'], registry: 'io.example/demo' },
        { type: 'http', url: 'https://demo.example/mcp' },
      ],
    );
  });

  it('keeps a secret out of the definition, and asks for one at the start that was left empty', () => {
    const way = known('server-everything');
    const given = newServer({
      name: 'all',
      way,
      values: { 'variable:0': 'hush', 'variable:1': 'south' },
      configured: [{ id: 'all-EVERYTHING_TOKEN' }],
    });
    const input = {
      id: 'all-EVERYTHING_TOKEN-2',
      type: 'promptString',
      description: 'A token that the server shows to nobody.',
      password: true,
    };
    const env = { EVERYTHING_TOKEN: '${input:all-EVERYTHING_TOKEN-2}', EVERYTHING_REGION: 'south' };
    assert.deepEqual(given, {
      definition: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything@2026.8.31', 'stdio'], env },
      inputs: [input],
      values: new Map([[input.id, 'hush']]),
    });
    const later = newServer({ name: 'all', way, values: {}, configured: [] });
    assert.deepEqual([later.definition['env'], later.values.size], [{ EVERYTHING_TOKEN: '${input:all-EVERYTHING_TOKEN}' }, 0]);
  });

  it('gives an argument as often as it was filled in, each as one word, and misses one that is required', () => {
    const way = known('server-filesystem');
    assert.deepEqual(written(way, { 'argument:0': '/a b; rm -rf /', 'argument:0#1': '${workspaceFolder}' }), {
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-filesystem@2026.8.31', '/a b; rm -rf /', '${workspaceFolder}'],
    });
    assert.throws(() => written(way), { code: 'registry.missing' });
  });

  it('writes a named argument and its value as one word, and a box that is ticked as its name', () => {
    const devtools = known('chrome-devtools-mcp');
    assert.deepEqual(
      [
        written(known('playwright-mcp'), { 'argument:0': 'webkit' }),
        written(devtools, { 'argument:0': true }),
        written(devtools, { 'argument:0': false }),
      ],
      [
        { command: 'npx', args: ['-y', '@playwright/mcp@0.0.83', '--browser=webkit'] },
        { command: 'npx', args: ['-y', 'chrome-devtools-mcp@1.11.0', '--headless'] },
        { command: 'npx', args: ['-y', 'chrome-devtools-mcp@1.11.0'] },
      ],
    );
  });

  it('fills variables into fixed values, and leaves curly brackets that name none', () => {
    const variables = { token: { isSecret: true, isRequired: true }, user: { default: 'me' } };
    const way = ofRemote({
      url: 'https://{tenant}.example.com/{unknown}/mcp',
      variables: { tenant: { isRequired: true } },
      headers: [
        { name: 'Authorization', value: 'Bearer {token}', isRequired: true, variables },
        { name: 'X-User', value: '{user}-{other}', variables },
        { name: 'X-Left', value: 'a {left}', variables: { left: {} } },
      ],
    });
    assert.deepEqual(written(way, { 'url.tenant': 'acme', 'header:1.user': 'you' }), {
      type: 'http',
      url: 'https://acme.example.com/{unknown}/mcp',
      headers: { Authorization: 'Bearer ${input:demo-token}', 'X-User': 'you-{other}' },
    });
  });

  it('opens to a container the folder that the person chose, and no other', () => {
    const mount = (value: string): InstallWay =>
      ofPackage({
        registryType: 'oci',
        identifier: 'docker.io/owner/tool:1.0.0',
        runtimeHint: 'docker',
        runtimeArguments: [
          { type: 'positional', value: 'run' },
          { type: 'named', name: '--rm' },
          { type: 'named', name: '--mount', value, isRequired: true, variables: { folder: { isRequired: true, format: 'filepath' } } },
        ],
      });
    assert.deepEqual(written(mount('type=bind,src={folder},dst=/data'), { 'runtime:2.folder': '/home/me' }), {
      command: 'docker',
      args: ['run', '-i', '--rm', '--mount=type=bind,src=/home/me,dst=/data', 'docker.io/owner/tool:1.0.0'],
    });
    assert.equal(mount('type=bind,src=/,dst=/data').refusal?.code, 'registry.openFolder');
    assert.equal(mount('type=bind,src=/{folder},dst=/data').refusal?.code, 'registry.openFolder');
  });
});

describe('A hostile entry', () => {
  const refusal = (way: InstallWay): string | undefined => {
    assert.throws(() => written(way));
    return way.refusal?.code;
  };
  const code = (more: Readonly<Record<string, unknown>>): string | undefined => refusal(ofPackage(npm('tool', '1.0.0', more)));

  it('whose name or version is an option, a path, a script or a range cannot be installed', () => {
    const names = ['--call=x', '-c', '../x', 'a b', 'x;y', '@a/b/c', 'https://evil.example/x.tgz', 'x@1', 'git+ssh://x', ''];
    assert.deepEqual(
      names.filter((identifier) => identifier !== '').map((identifier) => refusal(ofPackage(npm(identifier, '1.0.0')))),
      Array.from({ length: names.length - 1 }, () => 'registry.badIdentifier'),
    );
    const versions = ['latest', '^1.0.0', '1.x', '1.*', '>=1', '', '1.0.0 --call=x', 'file:/tmp/x', '1'];
    assert.deepEqual(
      versions.map((version) => refusal(ofPackage(npm('tool', version)))),
      versions.map(() => 'registry.noExactVersion'),
    );
    const images = ['-v', 'tool:latest', 'tool', '--privileged', 'a/../b:1', 'tool@sha256:12'];
    assert.deepEqual(
      images.map((identifier) => refusal(ofPackage({ registryType: 'oci', identifier }))),
      [
        'registry.badIdentifier',
        'registry.noExactVersion',
        'registry.noExactVersion',
        'registry.badIdentifier',
        'registry.badIdentifier',
        'registry.badIdentifier',
      ],
    );
  });

  it('that gives its runtime options of its own cannot be installed', () => {
    const docker = (argument: Readonly<Record<string, unknown>>): string | undefined =>
      refusal(ofPackage({ registryType: 'oci', identifier: 'x/tool:1.0.0', runtimeArguments: [argument] }));
    assert.deepEqual(
      [
        code({ runtimeArguments: [{ type: 'named', name: '--package', value: 'evil' }] }),
        code({ runtimeArguments: [{ type: 'positional', value: '-c' }] }),
        code({ runtimeHint: 'sh', runtimeArguments: [{ type: 'named', name: '-y' }] }),
        docker({ type: 'named', name: '--privileged' }),
        docker({ type: 'named', name: '-v', value: '/:/host' }),
        docker({ type: 'named', name: '-v', value: '{all}:/host', variables: { all: { value: '/' } } }),
        docker({ type: 'named', name: '-e', value: 'LD_PRELOAD=/x.so' }),
      ],
      [
        'registry.runtimeOption',
        'registry.runtimeOption',
        'registry.runtimeOption',
        'registry.runtimeOption',
        'registry.openFolder',
        'registry.openFolder',
        'registry.badVariable',
      ],
    );
  });

  it('that sets variables by which other code would run cannot be installed; a token of the same kind can', () => {
    const names = [
      'NODE_OPTIONS',
      'npm_config_registry',
      'PATH',
      'LD_PRELOAD',
      'DYLD_INSERT_LIBRARIES',
      'UV_INDEX_URL',
      'HTTPS_PROXY',
      'A B',
      'A=B',
    ];
    assert.deepEqual(
      names.map((name) => code({ environmentVariables: [{ name, value: 'x' }] })),
      names.map(() => 'registry.badVariable'),
    );
    for (const name of ['NODE_ENV', 'NPM_TOKEN', 'GITHUB_TOKEN', 'PYTHONUNBUFFERED']) {
      assert.equal(ofPackage(npm('tool', '1.0.0', { environmentVariables: [{ name }] })).refusal, undefined);
    }
  });

  it('that names a variable of this machine cannot be installed, not even in pieces', () => {
    const hidden = '${env:GITHUB_TOKEN}';
    assert.deepEqual(
      [
        code({ environmentVariables: [{ name: 'X', value: hidden }] }),
        code({ packageArguments: [{ type: 'positional', valueHint: 'x', default: hidden }] }),
        code({ packageArguments: [{ type: 'named', name: '--x', choices: ['a', hidden] }] }),
        refusal(ofRemote({ url: `https://evil.example/${hidden}` })),
        refusal(ofRemote({ url: 'https://evil.example/', headers: [{ name: 'X', value: '{x}', variables: { x: { value: hidden } } }] })),
      ],
      Array.from({ length: 5 }, () => 'registry.hiddenVariable'),
    );
    const variables = { a: { default: '$' }, b: { default: '{env:GITHUB_TOKEN}' } };
    const way = ofRemote({ url: 'https://evil.example/', headers: [{ name: 'X', value: '{a}{b}', variables }] });
    assert.throws(() => written(way, { 'header:0.a': '$', 'header:0.b': '{env:GITHUB_TOKEN}' }), { code: 'registry.hiddenVariable' });
  });

  it('whose address leads into this machine or its network, or is not encrypted, cannot be installed', () => {
    const inside = [
      '127.0.0.1:8080',
      'localhost',
      'x.localhost',
      '[::1]',
      '10.0.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '0.0.0.0',
      '2130706433',
      'nas.local',
    ];
    assert.deepEqual(
      inside.map((host) => refusal(ofRemote({ url: `https://${host}/mcp` }))),
      inside.map(() => 'registry.ownAddress'),
    );
    assert.deepEqual(
      ['http://other.example/', 'ftp://other.example/', 'https://me:word@other.example/', 'nonsense'].map((url) =>
        refusal(ofRemote({ url })),
      ),
      ['registry.notEncrypted', 'registry.badUrl', 'registry.badUrl', 'registry.badUrl'],
    );
    const chosen = ofRemote({ url: 'https://{host}/mcp', variables: { host: { default: '127.0.0.1' } } });
    assert.throws(() => written(chosen, { 'url.host': '127.0.0.1' }), { code: 'registry.ownAddress' });
  });

  it('from another package registry, with a port of its own, as a bundle or of an unknown kind says why it cannot be installed', () => {
    assert.deepEqual(
      [
        code({ registryBaseUrl: 'https://evil.example' }),
        code({ transport: { type: 'streamable-http', url: 'http://127.0.0.1:3000' } }),
        refusal(ofPackage({ registryType: 'mcpb', identifier: 'https://x.example/a.mcpb' })),
        refusal(ofPackage({ registryType: 'mcpb', identifier: 'https://127.0.0.1/a.mcpb', fileSha256: 'a'.repeat(64) })),
        refusal(ofPackage({ registryType: 'mcpb', identifier: 'http://x.example/a.mcpb', fileSha256: 'a'.repeat(64) })),
        refusal(ofPackage({ registryType: 'cargo', identifier: 'x', version: '1.0.0' })),
        refusal(ofPackage({ registryType: 'constructor', identifier: 'x', version: '1.0.0' })),
      ],
      [
        'registry.otherRegistry',
        'registry.ownListener',
        'registry.noHash',
        'registry.ownAddress',
        'registry.notEncrypted',
        'registry.unknownKind',
        'registry.unknownKind',
      ],
    );
  });
});

describe('installFields', () => {
  it('asks for what is not fixed, and hides what is a secret', () => {
    assert.deepEqual(
      installFields(known('server-everything')).map(({ field, isSecret, isNeeded }) => [
        field.name,
        field.label,
        field.type,
        field.default,
        field.isRequired,
        isSecret,
        isNeeded,
      ]),
      [
        ['variable:0', 'EVERYTHING_TOKEN', 'text', undefined, false, true, true],
        ['variable:1', 'EVERYTHING_REGION', 'choice', '"north"', false, false, false],
      ],
    );
    const [first, second] = installFields(known('server-filesystem'));
    assert.deepEqual([first?.field.isRequired, second?.field.isRequired, second?.after], [true, false, 'argument:0']);
  });

  it('writes out what nobody would see in a label, and takes a name of a secret for one', () => {
    const [field] = installFields(
      ofPackage(npm('tool', '1.0.0', { environmentVariables: [{ name: 'API_KEY', description: 'a\u202Eb' }] })),
    );
    assert.deepEqual([field?.isSecret, field?.field.description], [true, 'a⟨U+202E⟩b']);
  });
});
