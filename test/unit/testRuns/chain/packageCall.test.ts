import assert from 'node:assert/strict';
import { chainOf, reached } from './support.ts';

const scripts = { build: 'tsc', lint: 'eslint .', always: 'echo decoy', false: 'echo decoy', run: 'echo decoy', web: 'echo decoy' };

describe('A call of a package manager', () => {
  const programs: readonly (readonly [string, readonly string[]])[] = [
    ['yarn run-s lint build', ['run-s', 'lint', 'build']],
    ['yarn run run-s lint build', ['run-s', 'lint', 'build']],
    ['yarn concurrently "npm:build"', ['concurrently', 'build']],
    ['pnpm c8 npm run build', ['c8', 'build']],
    ['bun run cross-env CI=1 npm run build', ['cross-env', 'build']],
    ['yarn node --run build', ['node', 'build']],
    ['yarn vitest run', ['vitest']],
    ['bun ./check.ts', ['./check.ts']],
    ['npm run nothing', ['nothing']],
  ];
  for (const [command, names] of programs) {
    it(`follows the program that ${JSON.stringify(command)} runs where there is no such script`, async () => {
      assert.deepEqual(await reached(command, scripts), names);
    });
  }

  it('runs a script before a command that not every version has, and nothing where there is none', async () => {
    for (const name of ['list', 'outdated', 'licenses', 'why']) {
      assert.deepEqual(await reached(`yarn ${name}`, { [name]: 'npm run build', build: 'tsc' }), [name, 'build'], name);
      assert.deepEqual(await reached(`pnpm ${name}`, scripts), [name], name);
    }
  });

  const unknowable = [
    'pnpm turbo run test',
    'yarn nx test',
    'pnpm lerna run x',
    'bun run turbo build',
    'yarn some-binary',
    'yarn audit',
    'bun exec "npm run build"',
    'pnpm --color always run build',
    'pnpm --silent false run build',
    'npm run --color always build',
    'npm run --cache --prefix web build',
    'yarn packages/a build',
    'yarn a:b',
    'yarn test',
    'pnpm exec -r npm run build',
    'start-server-and-test some-binary 3000 build',
    'concurrently "yarn:some-binary"',
    'concurrently "deno:build"',
  ];
  for (const command of unknowable) {
    it(`is not known to the end for ${JSON.stringify(command)}`, async () => {
      assert.notDeepEqual((await chainOf(command, scripts)).unknown, []);
    });
  }
});
