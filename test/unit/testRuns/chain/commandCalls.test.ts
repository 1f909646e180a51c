import assert from 'node:assert/strict';
import { resolveChain } from '../../../../src/testRuns/chain/runChain.ts';
import { chainOf, disk, reached } from './support.ts';

const scripts = { build: 'tsc', test: 'mocha', unit: 'mocha', lint: 'eslint .', payload: 'touch evil.txt' };

describe('A command', () => {
  const followed: readonly (readonly [string, readonly string[]])[] = [
    ['npm test', ['test']],
    ['npm t', ['test']],
    ['npm run unit', ['unit']],
    ['npm run-script unit', ['unit']],
    ['npm --silent test -- --grep one', ['test']],
    ['npm run --if-present nothing', ['nothing']],
    ['npm "run" "unit"', ['unit']],
    ['pnpm run unit', ['unit']],
    ['pnpm -s run unit', ['unit']],
    ['pnpm build', ['build']],
    ['yarn run unit --watch', ['unit']],
    ['yarn test', ['test']],
    ['yarn vitest run', ['vitest']],
    ['node --run unit', ['unit']],
    ['node --run=unit -- --watch', ['unit']],
    ['cross-env CI=1 npm run unit', ['unit']],
    ['NODE_ENV=test c8 npm run unit', ['unit']],
    ['npm run unit && npm run lint', ['unit', 'lint']],
    ['npm run unit||npm run lint; npm test', ['unit', 'lint', 'test']],
  ];
  for (const [command, names] of followed) {
    it(`is followed to its scripts: ${JSON.stringify(command)}`, async () => {
      assert.deepEqual(await reached(command, scripts), names);
    });
  }

  it('ends at a program that runs nothing else', async () => {
    const programs = ['node --test', 'vitest run', 'npx vitest', 'pnpm exec mocha', 'npm exec mocha', 'cargo test', 'python -m pytest'];
    const more = [
      'mocha "test/**/*.js"',
      "mocha 'test/**/*.js'",
      'eslint src/*.ts',
      'c8 node --test',
      'CI=1 jest',
      'echo done',
      'go test ./...',
    ];
    for (const program of [...programs, ...more]) {
      assert.deepEqual(await chainOf(program, scripts), { steps: [], unknown: [] }, program);
    }
  });

  it('with a program in a file is known by what is in the file', async () => {
    const run = (command: string, text: string): ReturnType<typeof resolveChain> =>
      resolveChain([{ command, folder: '/demo' }], disk({}, { '/demo/tools/check.js': text }));
    for (const command of [
      'node tools/check.js',
      'node --watch ./tools/check.js src',
      './tools/check.js',
      'tsx tools/check.js',
      'sh tools/check.js',
    ]) {
      const one = await run(command, 'one');
      assert.deepEqual([one.unknown, one.steps.length], [[], 1], command);
      assert.notDeepEqual(one.steps, (await run(command, 'other')).steps, command);
      assert.notDeepEqual((await run(command, 'exec("npm run payload")')).unknown, [], 'it may run scripts');
    }
    assert.deepEqual((await run('node tools/gone.js', '')).unknown, ['node tools/gone.js']);
  });

  const hidden = [
    ...['node "$npm_execpath" run payload', 'node $npm_execpath run payload', '"$npm_execpath" run payload', '$npm_node_execpath x.js'],
    ...['node %npm_execpath% run payload', '${npm_execpath} run payload', 'sh -c "npm run payload"', 'eval "npm run payload"'],
    ...[
      'node -e "run()"',
      'node -r ./evil.js x.js',
      'node --import ./evil.js --test',
      'node --test --env-file=x',
      'node',
      'node -',
      'node *.js',
    ],
    ...['python -c "run()"', 'bash', 'bash -lc x', 'perl x.pl', 'deno task test', 'bun run unit', 'bun test', 'bunx vitest'],
    ...['npm install', 'npm ci && npm test', 'npm start', 'npm restart', 'npm exec -c x', 'npx npm test', 'npx -c mocha', 'npx vitest@1'],
    ...[
      'npm -w web test',
      'npm test --workspaces',
      'npm --prefix web test',
      'npm run $NAME',
      'npm run t*',
      'npm run /x/',
      "npm run 'unit'",
    ],
    ...[
      'pnpm -r test',
      'pnpm --filter web test',
      'pnpm -C web test',
      'pnpm install',
      'pnpm some-binary',
      'pnpm turbo run test',
      'pnpm dlx mocha',
    ],
    ...[
      'pnpm run "/^test/"',
      'yarn',
      'yarn workspace web test',
      'yarn --cwd web test',
      'yarn run some-binary',
      'yarn outdated',
      'yarn node x.js',
    ],
    ...[
      'run-s lint unit',
      'concurrently "npm:unit"',
      'turbo run test',
      'nx test',
      'make test',
      'cargo run',
      'go test -exec ./evil',
      'go vet -vettool=./evil',
      'cargo test --config target.runner=x',
      'dotnet build -p:PostBuildEvent=./evil',
      'jest --testRunner=./evil',
      'corepack pnpm test',
    ],
    ...['cd web && npm test', 'pushd web && npm test', '{ cd web; npm test; }', 'if true; then npm test; fi', '(npm test)', '! npm test'],
    ...[
      'npm test | tee out.txt',
      'npm test > out.txt',
      'npm test & npm run unit',
      'npm test\nnpm run unit',
      'npm run `cat name`',
      'npm run $(cat name)',
    ],
    ...[
      'npm test # x',
      'npm test "',
      'npm() { ./evil; }; npm test',
      'cat <<EOF | sh',
      'npm run un\\it',
      '~/bin/mocha',
      'a^b',
      "echo 'a & npm run payload'",
    ],
    ...[
      'npm_config_script_shell=./evil npm test',
      'NODE_OPTIONS=x mocha',
      'PATH=. mocha',
      'cross-env BASH_ENV=x npm test',
      'env npm test',
      'A=1',
    ],
    ...[
      'c8 --require=x mocha',
      'tsup --onSuccess "npm run payload"',
      'vite --onEnd x',
      'eslint "npm run payload"',
      'find . -exec mocha',
      'ssh x mocha',
    ],
    ...['/usr/bin/npm test', 'npm.cmd test', 'NPM test', 'node node_modules/npm/bin/npm-cli.js run payload', './run.sh payload'],
  ];
  for (const command of hidden) {
    it(`of which it is not known what it runs is said to be unknown: ${JSON.stringify(command)}`, async () => {
      const sources = disk({ '/demo': scripts, '/demo/web': scripts });
      assert.notDeepEqual((await resolveChain([{ command, folder: '/demo' }], sources)).unknown, []);
      const behind = disk({ '/demo': { ...scripts, test: command } });
      assert.notDeepEqual((await resolveChain([{ command: 'npm test', folder: '/demo' }], behind)).unknown, [], 'as a script');
    });
  }

  it('is no option of a program before it, even where there is a file of that name', async () => {
    const command = 'nyc --require=./hook.js sh payload.sh';
    const sources = disk({ '/demo': scripts }, { '/demo/--require=./hook.js': '', '/demo/--require=/hook.js': '' });
    assert.deepEqual((await resolveChain([{ command, folder: '/demo' }], sources)).unknown, [command]);
  });
});
