import assert from 'node:assert/strict';
import { resolveChain, type RunChain } from '../../../../src/testRuns/chain/runChain.ts';
import { disk } from './support.ts';

const packages = { '/projects/demo': { test: 'mocha' } };

function chainWith(files: Readonly<Record<string, string>>): Promise<RunChain> {
  return resolveChain([{ command: 'npm test', folder: '/projects/demo' }], disk(packages, files));
}

describe('Settings of package managers', () => {
  const doubtful: readonly (readonly [string, string])[] = [
    ['script-shell=./evil', 'script-shell'],
    ['workspace[]=web', 'workspace[]'],
    ['"script-shell"=./evil', '"script-shell"'],
    ["'workspaces' = true", "'workspaces'"],
    ['workspaces', 'workspaces'],
    ['userconfig=./evil.npmrc', 'userconfig'],
    ['${NAME}=x', '${NAME}'],
    ['[section]', '[section]'],
    ['node-options=--require ./evil.js', 'node-options'],
    ['registry=https://npm.example\r\nprefix=/elsewhere', 'prefix'],
  ];
  for (const [npmrc, key] of doubtful) {
    it(`leave it open what runs where .npmrc says ${JSON.stringify(npmrc)}`, async () => {
      assert.deepEqual((await chainWith({ '/projects/demo/.npmrc': npmrc })).unknown, [`.npmrc ${key}`]);
    });
  }

  it('leave nothing open where they only say how packages are fetched', async () => {
    const npmrc =
      '; remark\n# remark\nregistry=https://npm.example\n@me:registry=https://x\n//npm.example/:_authToken=${T}\nsave-exact=true\n';
    assert.deepEqual((await chainWith({ '/projects/demo/.npmrc': npmrc })).unknown, []);
  });

  for (const name of ['.npmrc', '.yarnrc.yml', '.yarnrc', 'pnpm-workspace.yaml', '.pnpmfile.cjs', '.pnp.cjs', '.env.yarn']) {
    it(`are part of what runs by their text: ${name}`, async () => {
      const files = (text: string): Promise<RunChain> => chainWith({ [`/projects/demo/${name}`]: text });
      const [one, same, other] = await Promise.all([files('save=true'), files('save=true'), files('save=false')]);
      assert.deepEqual(one, same);
      assert.deepEqual(one.steps.map((step) => step.name).sort(), [name, 'scripts.test'].sort());
      assert.notDeepEqual(one.steps, other.steps);
      assert.ok(!JSON.stringify(one).includes('save='), 'their text may hold secrets');
    });
  }

  const diverting: readonly (readonly [string, string, string])[] = [
    ['pnpm-workspace.yaml', 'packages:\n- web\nscriptShell: ./evil', ' scriptShell'],
    ['pnpm-workspace.yaml', '  scriptShell: ./evil', '   scriptShell'],
    ['pnpm-workspace.yaml', '"scriptShell": ./evil', ' "scriptShell"'],
    ['pnpm-workspace.yaml', '{ scriptShell: ./evil }', ' { scriptShell'],
    ['.yarnrc.yml', 'nodeLinker: node-modules\ryarnPath: ./evil.cjs', ' yarnPath'],
    ['.yarnrc.yml', 'plugins:\n  - ./evil.cjs', ' plugins'],
    ['.yarnrc', 'yarn-path "./evil"', ''],
    ['.pnpmfile.cjs', 'module.exports = {}', ''],
    ['.pnpmfile.mjs', '', ''],
    ['.env.yarn', 'BASH_ENV=./evil', ''],
    ['.corepack.env', 'COREPACK_NPM_REGISTRY=https://evil.example', ''],
    ['node_modules/.bin/sh', '', ''],
    ['node_modules/.bin/npm.cmd', '', ''],
  ];
  for (const [name, text, part] of diverting) {
    it(`leave it open what runs where there is ${name} with ${JSON.stringify(text)}`, async () => {
      assert.deepEqual((await chainWith({ [`/projects/demo/${name}`]: text })).unknown, [`${name}${part}`]);
    });
  }

  it('leave nothing open where YAML only says which packages there are and where they lie', async () => {
    const files = {
      '/projects/demo/pnpm-workspace.yaml': '# all\npackages:\n- web\n  - api\ncatalog:\n  scriptShell: 1.0.0\n',
      '/projects/demo/.yarnrc.yml': 'nodeLinker: node-modules\n\nnpmScopes:\n  me:\n    npmRegistryServer: https://x\n',
    };
    assert.deepEqual((await chainWith(files)).unknown, []);
  });

  it('in package.json are part of what runs: the package manager, its version, and that of Node', async () => {
    const manifest = (more: object): Promise<RunChain> =>
      chainWith({ '/projects/demo/package.json': JSON.stringify({ scripts: { test: 'mocha' }, ...more }) });
    const chosen = { name: 'packageManager', text: 'pnpm@9.1.0+sha512.abc' };
    assert.deepEqual(await manifest({ packageManager: chosen.text }), {
      steps: [chosen, { name: 'scripts.test', text: 'mocha' }],
      unknown: [],
    });
    for (const [name, value] of [
      ['packageManager', 'pnpm@https://evil.example/pnpm.tgz'],
      ['packageManager', { name: 'pnpm' }],
      ['devEngines', { packageManager: { name: 'pnpm', version: '9', onFail: 'download' } }],
      ['devEngines', { runtime: { name: 'node', version: '20' } }],
      ['pnpm', { executionEnv: { nodeVersion: '20.0.0' } }],
    ] as const) {
      const { steps, unknown } = await manifest({ [name]: value });
      assert.deepEqual([steps[0]?.name, unknown], [name, [name]]);
    }
    assert.deepEqual((await manifest({ pnpm: { overrides: { a: '1' } } })).unknown, []);
  });

  it('are looked for up to the root of the packages, and not above it', async () => {
    const npmrc = { '/projects/.npmrc': 'script-shell=./evil', '/.npmrc': 'script-shell=./own' };
    assert.deepEqual((await chainWith(npmrc)).unknown, []);
    for (const root of [{ '/projects/package.json': '{"workspaces":["demo"]}' }, { '/projects/pnpm-workspace.yaml': 'packages: [demo]' }]) {
      assert.deepEqual((await chainWith({ ...npmrc, ...root })).unknown, ['/projects .npmrc script-shell']);
    }
    const { steps } = await chainWith({ '/projects/package.json': '{"workspaces":["demo"]}', '/projects/.yarnrc.yml': 'nodeLinker: pnp' });
    assert.deepEqual(steps.map(({ name }) => name).sort(), ['/projects .yarnrc.yml', 'scripts.test']);
  });
});
