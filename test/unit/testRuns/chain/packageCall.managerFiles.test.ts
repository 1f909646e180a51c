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

  for (const name of ['.npmrc', '.yarnrc.yml', '.yarnrc', 'pnpm-workspace.yaml', 'bunfig.toml']) {
    it(`are part of what runs by their text: ${name}`, async () => {
      const files = (text: string): Promise<RunChain> => chainWith({ [`/projects/demo/${name}`]: text });
      const [one, same, other] = await Promise.all([files('save=true'), files('save=true'), files('save=false')]);
      assert.deepEqual(one, same);
      assert.deepEqual(one.steps.map((step) => step.name).sort(), [name, 'scripts.test'].sort());
      assert.notDeepEqual(one.steps, other.steps);
      assert.ok(!JSON.stringify(one).includes('save='), 'their text may hold secrets');
    });
  }

  for (const [name, text] of [
    ['pnpm-workspace.yaml', 'scriptShell: ./evil'],
    ['.yarnrc', 'script-shell "./evil"'],
    ['bunfig.toml', '[run]\nshell = "system"'],
  ] as const) {
    it(`leave it open what runs where ${name} names a shell`, async () => {
      assert.deepEqual((await chainWith({ [`/projects/demo/${name}`]: text })).unknown, [name]);
    });
  }

  it('are looked for up to the root of the packages, and not above it', async () => {
    const npmrc = { '/projects/.npmrc': 'script-shell=./evil', '/.npmrc': 'script-shell=./own' };
    assert.deepEqual((await chainWith(npmrc)).unknown, []);
    for (const root of [{ '/projects/package.json': '{"workspaces":["demo"]}' }, { '/projects/pnpm-workspace.yaml': 'packages: [demo]' }]) {
      assert.deepEqual((await chainWith({ ...npmrc, ...root })).unknown, ['/projects .npmrc script-shell']);
    }
    const { steps } = await chainWith({ '/projects/package.json': '{"workspaces":["demo"]}', '/projects/.yarnrc.yml': 'yarnPath: x' });
    assert.deepEqual(steps.map(({ name }) => name).sort(), ['/projects .yarnrc.yml', 'scripts.test']);
  });

  it('of the folder where the run starts count for the packages in it', async () => {
    const sources = disk({ '/demo/web': { test: 'mocha' } }, { '/demo/.npmrc': 'workspaces=true' });
    assert.deepEqual((await resolveChain([{ command: 'cd web && npm test', folder: '/demo' }], sources)).unknown, ['.npmrc workspaces']);
  });
});
