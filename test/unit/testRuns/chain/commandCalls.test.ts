import assert from 'node:assert/strict';
import { chainOf, reached } from './support.ts';

const scripts = { build: 'tsc', test: 'mocha', text: 'echo decoy' };

describe('A command that runs others', () => {
  const followed = [
    'npx npm@10 run build',
    'npm exec npm@10 run build',
    'corepack yarn@1.22 build',
    'corepack pnpm@latest run build',
    'c8 -r text node --run build',
    'sh -cl "npm run build"',
    'bash -ce "npm run build"',
    'bash -c -e "npm run build"',
    'bash -e -c -- "npm run build"',
    'fish --command "npm run build"',
    'fish --command="npm run build"',
    'cmd /cnpm run build',
    'cmd.exe /d /s /c "npm run build"',
    'cmd //c npm run build',
    'nodemon --exec="npm run build"',
    'firebase emulators:exec "npm run build"',
    'dotenv -e .env -- npm run build',
    'dotenvx run -f .env -- npm run build',
    'strace -f sh -c "npm run build"',
    'strace node --run build',
    'yarnpkg build',
    'node .yarn/releases/yarn-berry.cjs build',
    'node .yarn/releases/yarn-4.1.0.cjs build',
    'node node_modules/npm/bin/npm-cli.js run build',
    'node node_modules/npm/bin/npx-cli.js npm run build',
    'node node_modules/npm-run-all/bin/run-s/index.js build',
  ];
  for (const command of followed) {
    it(`is followed in ${JSON.stringify(command)}`, async () => {
      assert.deepEqual(await reached(command, scripts), ['build']);
    });
  }

  const unknowable = [
    'npx turbo@2 run build',
    'npx -y nx@latest test',
    'pnpm dlx turbo@2 run build',
    'dotenv -e .env -- turbo run test',
    'sudo -u me nx test',
    'strace -f turbo run test',
    'find . -exec node --run build \\;',
    'find . -exec npm run build \\;',
    "git -c alias.x='!npm run b' x",
    'npx --call="npm run build"',
    'npx --call=build',
    'npx --workspace=web npm run build',
    'env -S"npm run build"',
    'env --split-string="npm run build"',
    'timeout --unheard-of value npm run build',
    'dotenv -v npm_config_script_shell=./evil -- npm run build',
    'bash -o pipefail -c "npm run build"',
    'bash --rcfile ./evil -c "npm run build"',
    'cmd',
    'corepack use pnpm@9',
    'rushx build',
    'nr build',
    'na run build',
    'node node_modules/lerna/dist/cli.js run build',
    'node node_modules/nx/bin/nx.js test',
    'foo npm ls turbo run build',
  ];
  for (const command of unknowable) {
    it(`is not known to the end for ${JSON.stringify(command)}`, async () => {
      assert.notDeepEqual((await chainOf(command, scripts)).unknown, []);
    });
  }

  it('is a program like any other where nothing in it names one that runs scripts', async () => {
    for (const command of [
      'eslint . --fix',
      'mocha -r source-map-support test/env',
      'c8 --reporter=lcov mocha',
      'git commit -m "Run it"',
      'find . -name x',
    ]) {
      assert.deepEqual(await chainOf(command, scripts), { steps: [], unknown: [] }, command);
    }
  });

  it('is read in one go however often it wraps itself', async () => {
    assert.equal((await chainOf('env a '.repeat(400), scripts)).unknown.length, 1);
    assert.equal((await chainOf('npm x a '.repeat(300), scripts)).unknown.length, 1);
  });
});
