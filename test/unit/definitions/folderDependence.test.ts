import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { dependsOnFolder, type StartInFolder } from '../../../src/definitions/folderDependence.ts';
import { createTemporaryFolder } from '../../support/run/temporaryFolder.mjs';

/** `line` is a command with its arguments, which have no spaces. */
function depends(line: string, more: Partial<StartInFolder> = {}): Promise<boolean> {
  const [command = '', ...args] = line.split(' ');
  const cwd = more.cwd ?? createTemporaryFolder();
  return dependsOnFolder({ command, args, env: {}, cwd, userHome: '/home/me', platform: 'linux', ...more });
}

async function folderWith(file: string, text = ''): Promise<string> {
  const folder = createTemporaryFolder();
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), text);
  return folder;
}

describe('What a start runs', () => {
  const elsewhere = [
    'node /opt/server.mjs --port 80',
    'python3.12 /opt/server.py',
    'java -jar /opt/server.jar',
    '/opt/bin/server stdio --url=https://example.com/mcp',
    'npx -y @scope/package@1.2 --key x',
    'npx --yes package@latest',
    'npx -y -p @scope/package run-it',
    'uvx mcp-server-git --repository /srv/x',
    'uv tool run mcp-server-git',
    'docker run -i --rm -e TOKEN ghcr.io/owner/server:1',
  ];
  for (const line of elsewhere) {
    it(`does not depend on the folder: ${line}`, async () => {
      assert.equal(await depends(line), false);
    });
  }

  const here = [
    'node mcp/server.js',
    'node server',
    'node -r dotenv /opt/server.mjs',
    'python -m server',
    'java -cp /opt/lib Main',
    './server',
    'bin/server stdio',
    '/opt/bin/server --config=./server.json',
    '/opt/bin/server conf/server.json',
    '/opt/bin/server --run a:../b',
    'npx -y ./server',
    'npx -y owner/repository',
    'npx -c server',
    'npx --prefix x -y package',
    'npx -y package .',
    'npm exec package',
    'pnpm dlx package',
    'bunx package',
    'make serve',
    'uv run server',
    'bash -c server',
    'env server',
    'docker compose up',
    'docker run -v ./data:/data image',
  ];
  for (const line of here) {
    it(`may depend on the folder: ${line}`, async () => {
      assert.equal(await depends(line), true);
    });
  }

  it('may depend on the folder where an argument is there, also as a link', async () => {
    for (const line of [
      '/opt/bin/server server.js',
      '/opt/bin/server --load=server.js',
      '/opt/bin/server @server.js',
      'docker run server.js',
    ]) {
      assert.deepEqual([await depends(line), await depends(line, { cwd: await folderWith('server.js') })], [false, true], line);
    }
    const linked = createTemporaryFolder();
    await symlink('/no/such/file', path.join(linked, 'server.js'));
    assert.equal(await depends('/opt/bin/server server.js', { cwd: linked }), true);
  });

  it('may depend on the folder where a variable lets something of it in', async () => {
    const line = 'node /opt/server.mjs';
    const ofFolder: readonly StartInFolder['env'][] = [
      { NODE_OPTIONS: '-r dotenv' },
      { NODE_OPTIONS: '--import=tsx' },
      { PYTHONPATH: 'lib/x' },
      { PATH: '/bin:' },
      { NODE_PATH: '.' },
    ];
    for (const env of ofFolder) {
      assert.equal(await depends(line, { env }), true, JSON.stringify(env));
    }
    const harmless = { NODE_OPTIONS: '--max-old-space-size=4096', PATH: '/bin:/usr/bin', MODEL: 'owner/model', LD_PRELOAD: null };
    assert.equal(await depends(line, { env: harmless }), false);
  });

  it('is a package of the registry for npx, unless the folder or one above has a package, a program or settings in its place', async () => {
    const line = 'npx -y @scope/package';
    assert.equal(await depends(line, { cwd: await folderWith('package.json', '{"name":"app","scripts":{}}') }), false);
    assert.equal(await depends(line, { cwd: await folderWith('node_modules/.bin/eslint') }), false);
    const diverting: readonly (readonly [file: string, text?: string])[] = [
      ['.npmrc', 'registry=https://example.com'],
      ['package.json', '{"bin":{"@scope/package":"x.js"}}'],
      ['package.json', '{"workspaces":["x"]}'],
      ['package.json', 'no JSON'],
      ['node_modules/@scope/package/package.json', '{}'],
      ['node_modules/.bin/package'],
      ['node_modules/.bin/package.cmd'],
      ['node_modules/.bin/node'],
    ];
    for (const [file, text] of diverting) {
      const folder = await folderWith(file, text);
      await mkdir(path.join(folder, 'below'));
      const found = [await depends(line, { cwd: folder }), await depends(line, { cwd: path.join(folder, 'below') })];
      assert.deepEqual(found, [true, true], file);
    }
    const linked = createTemporaryFolder();
    await symlink('/no/such/folder', path.join(linked, 'node_modules'));
    assert.equal(await depends(line, { cwd: linked }), true);
  });

  it('is no other package for npx because of the settings in the person’s home', async () => {
    const userHome = await folderWith('.npmrc');
    const cwd = path.join(userHome, 'project');
    await mkdir(cwd);
    assert.deepEqual([await depends('npx -y package', { cwd, userHome }), await depends('npx -y package', { cwd })], [false, true]);
  });

  it('depends on the folder by the rules of Windows there', async () => {
    const platform = 'win32';
    assert.equal(await depends('C:\\bin\\server.exe stdio C:\\data', { platform }), false);
    for (const line of ['C:\\bin\\server.exe conf\\x', 'bin\\server.exe', 'cmd /c npx', 'C:\\nodejs\\node.exe server', 'NPM.cmd run x']) {
      assert.equal(await depends(line, { platform }), true, line);
    }
  });
});
