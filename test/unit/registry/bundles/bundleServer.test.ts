import assert from 'node:assert/strict';
import type { FormValues } from '../../../../src/contract/forms/formFields.ts';
import { readManifest } from '../../../../src/registry/bundles/bundleManifest.ts';
import {
  type Bundle,
  bundleFields,
  type BundleMachine,
  bundleServer,
  programNeeded,
} from '../../../../src/registry/bundles/bundleServer.ts';

const linux: BundleMachine = { platform: 'linux', home: '/home/me' };
const windows: BundleMachine = { platform: 'win32', home: 'C:\\Users\\me' };

function manifestText(more: object = {}, server: object = {}): string {
  return JSON.stringify({
    manifest_version: '0.3',
    name: 'notes',
    version: '1.0.0',
    description: 'Notes.',
    author: { name: 'Somebody' },
    server: {
      type: 'node',
      entry_point: 'server/index.js',
      mcp_config: { command: 'node', args: ['${__dirname}/server/index.js'] },
      ...server,
    },
    ...more,
  });
}

function bundleOf(text: string, files: readonly string[] = ['manifest.json', 'server/index.js'], folder = '/store/notes'): Bundle {
  return { manifest: readManifest(text), folder, files: new Set(files) };
}

function written(bundle: Bundle, values: FormValues = {}, machine: BundleMachine = linux): unknown {
  return bundleServer({ name: 'notes', bundle, machine, values, configured: [] }).definition;
}

function withLine(line: object, more: object = {}, type = 'node'): string {
  return manifestText(more, { type, mcp_config: line });
}

const code = (act: () => unknown): unknown => {
  try {
    act();
    return 'taken';
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
};

describe('readManifest', () => {
  it('takes the versions 0.1 to 0.4, under both names', () => {
    for (const version of ['0.1', '0.2', '0.3', '0.4']) {
      assert.equal(readManifest(manifestText({ manifest_version: version })).name, 'notes');
      assert.equal(readManifest(manifestText({ manifest_version: undefined, dxt_version: version })).name, 'notes');
    }
  });

  it('refuses what its schema does not know, and says where', () => {
    const place = (text: string): unknown => {
      try {
        return readManifest(text).name;
      } catch (error) {
        return error instanceof Error ? error.message : error;
      }
    };
    assert.deepEqual(
      [
        place('{'),
        place(manifestText({ manifest_version: '9.9' })),
        place(manifestText({ manifest_version: undefined })),
        place(manifestText({ surprise: true })),
        place(manifestText({}, { type: 'ruby' })),
        place(manifestText({}, { type: 'uv' })),
        place(manifestText({}, { mcp_config: undefined })),
        place(withLine({ command: 'node', shell: true })),
        place(manifestText({ user_config: { 'a}b': { type: 'string', title: 'A', description: '' } } })),
      ].map((text) => String(text).replace('The manifest of the bundle cannot be read: ', '')),
      [
        'JSON',
        'manifest_version',
        'manifest_version',
        'surprise',
        'server.type',
        'server',
        'server',
        'server.mcp_config.shell',
        'user_config.a}b',
      ],
    );
  });
});

describe('bundleServer', () => {
  it('starts what the manifest says, in the folder of the bundle', () => {
    const line = { command: 'node', args: ['${__dirname}${/}server${pathSeparator}index.js', '${HOME}', '${DOCUMENTS}'], env: { A: 'b' } };
    assert.deepEqual(written(bundleOf(withLine(line))), {
      command: 'node',
      args: ['/store/notes/server/index.js', '/home/me', '/home/me/Documents'],
      env: { A: 'b' },
    });
  });

  it('takes what a platform overrides', () => {
    const line = {
      command: 'node',
      args: ['a'],
      env: { A: '1' },
      platform_overrides: { win32: { command: 'node.exe', args: ['${HOME}'] } },
    };
    assert.deepEqual(written(bundleOf(withLine(line)), {}, windows), { command: 'node.exe', args: ['C:\\Users\\me'], env: { A: '1' } });
    assert.deepEqual(written(bundleOf(withLine(line))), { command: 'node', args: ['a'], env: { A: '1' } });
  });

  it('runs Python by its name, a program by its path, and uv without a line of its own', () => {
    const python = bundleOf(withLine({ command: 'python3', args: ['${__dirname}/server/index.js'] }, {}, 'python'));
    const binary = bundleOf(withLine({ command: '${__dirname}/server/index.js' }, {}, 'binary'));
    const relative = bundleOf(withLine({ command: 'server/index.js' }, {}, 'binary'));
    const uv = bundleOf(manifestText({ manifest_version: '0.4' }, { type: 'uv', mcp_config: undefined }));
    assert.deepEqual(
      [python, binary, relative, uv].map((bundle) => [written(bundle), programNeeded(bundle, linux)]),
      [
        [{ command: 'python3', args: ['/store/notes/server/index.js'] }, 'python3'],
        [{ command: '/store/notes/server/index.js', args: [] }, undefined],
        [{ command: '/store/notes/server/index.js', args: [] }, undefined],
        [{ command: 'uv', args: ['run', '--directory', '/store/notes', 'server/index.js'] }, 'uv'],
      ],
    );
    const inWindows = bundleOf(
      withLine({ command: '${__dirname}/server/index' }, {}, 'binary'),
      ['server/index.exe', 'server/index.js'],
      'C:\\s',
    );
    assert.deepEqual(written(inWindows, {}, windows), { command: 'C:\\s\\server\\index', args: [] });
  });

  it('asks for what can be configured, and fills it in', () => {
    const user_config = {
      key: { type: 'string', title: 'Key', description: 'Of the service', required: true, sensitive: true },
      folders: { type: 'directory', title: 'Folders', description: '', multiple: true, default: ['${HOME}/a', '${DESKTOP}'] },
      level: { type: 'number', title: 'Level', description: '', default: 3, min: 1, max: 9 },
      quiet: { type: 'boolean', title: 'Quiet', description: '', default: true },
      region: { type: 'string', title: 'Region', description: '' },
      unused: { type: 'string', title: 'Unused', description: '', sensitive: true, required: true },
    };
    const args = ['${user_config.folders}', '--level=${user_config.level}', '--region=${user_config.region}', '${user_config.region}'];
    const env = { KEY: 'Bearer ${user_config.key}', QUIET: '${user_config.quiet}', REGION: '${user_config.region}' };
    const bundle = bundleOf(withLine({ command: 'node', args, env }, { user_config }));
    const fields = bundleFields(bundle, linux);
    assert.deepEqual(
      fields.filter(({ field }) => field.default !== undefined).map(({ field }) => [field.name, field.default]),
      [
        ['config:folders', '"/home/me/a"'],
        ['config:folders#1', '"/home/me/Desktop"'],
        ['config:level', '3'],
        ['config:quiet', 'true'],
      ],
    );
    const level = fields.find(({ field }) => field.name === 'config:level')?.field;
    assert.ok(level?.type === 'number' && level.minimum === 1 && level.maximum === 9);
    const key = fields[0];
    assert.ok(key?.isSecret === true && key.field.type === 'text' && key.field.isPassword === true);

    const values = { 'config:key': 'hush', 'config:folders': '/x', 'config:folders#1': '/y z', 'config:level': 4, 'config:quiet': false };
    const filled = bundleServer({ name: 'notes', bundle, machine: linux, values, configured: [] });
    assert.deepEqual(filled.definition, {
      command: 'node',
      args: ['/x', '/y z', '--level=4'],
      env: { KEY: 'Bearer ${input:notes-Key}', QUIET: 'false' },
    });
    assert.deepEqual([...filled.values], [['notes-Key', 'hush']]);
  });

  it('says what is needed', () => {
    const user_config = { name: { type: 'string', title: 'Your name', description: '', required: true } };
    const bundle = bundleOf(withLine({ command: 'node', args: ['${user_config.name}'] }, { user_config }));
    assert.throws(() => written(bundle), /“Your name” is needed/);
  });

  it('lets no text of the manifest read a variable of this machine, nor one that is made of pieces', () => {
    const user_config = { x: { type: 'string', title: 'X', description: '', default: '{env:AWS_SECRET}' } };
    const found = ['${env:AWS_SECRET}', 'a${input:other}', '${user_config.y}', '${', '${workspaceFolder}', '$${user_config.x}'].map(
      (text) =>
        code(() => written(bundleOf(withLine({ command: 'node', args: [text] }, { user_config })), { 'config:x': '{env:AWS_SECRET}' })),
    );
    assert.deepEqual(new Set(found), new Set(['registry.hiddenVariable']));
  });

  it('refuses programs elsewhere, files that are not there, other systems and odd variables', () => {
    const command = (text: string): unknown => code(() => written(bundleOf(withLine({ command: text }))));
    assert.deepEqual(
      [
        ...['/bin/sh', '../sh', '${__dirname}/../sh', '${__dirname}/missing', '-c', 'sh -c x'].map(command),
        code(() => written(bundleOf(manifestText({}, { entry_point: '../x.js' })))),
        code(() => written(bundleOf(manifestText({ compatibility: { platforms: ['darwin'] } })))),
        code(() => written(bundleOf(withLine({ command: 'node', env: { 'A=B': '' } })))),
      ],
      [
        ...Array.from({ length: 6 }, () => 'registry.bundleCommand'),
        'registry.bundleEntry',
        'registry.otherSystem',
        'registry.badVariable',
      ],
    );
  });
});
