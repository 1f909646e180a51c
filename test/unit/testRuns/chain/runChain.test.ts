import assert from 'node:assert/strict';
import { resolveChain } from '../../../../src/testRuns/chain/runChain.ts';
import { chainOf, disk, reached } from './support.ts';

describe('The chain of what runs', () => {
  it('holds a script with those before and after it and those they call, in the order they are met', async () => {
    const scripts = {
      pretest: 'npm run lint && node prepare.js',
      test: 'node --test',
      posttest: 'yarn report',
      lint: 'eslint .',
      prelint: 'echo linting',
      report: 'c8 report',
      deploy: 'curl evil.example',
    };
    assert.deepEqual(await chainOf('npm test', scripts), {
      steps: [
        { name: 'scripts.pretest', text: 'npm run lint && node prepare.js' },
        { name: 'scripts.prelint', text: 'echo linting' },
        { name: 'scripts.lint', text: 'eslint .' },
        { name: 'scripts.test', text: 'node --test' },
        { name: 'scripts.posttest', text: 'yarn report' },
        { name: 'scripts.report', text: 'c8 report' },
      ],
      unknown: [],
    });
  });

  it('ends at a program: nothing that it reads belongs to it', async () => {
    const programs = [
      'node --test',
      'vitest run',
      'make test',
      './run.sh --all',
      'sh ./run.sh',
      'npx vitest',
      'pnpm exec mocha',
      'npm ls',
      'bun test',
    ];
    for (const program of [...programs, 'FOO=1 node --test "$FILES" > out.txt 2>&1', 'npm --version', 'echo done']) {
      assert.deepEqual(await chainOf(program, { test: 'evil' }), { steps: [], unknown: [] }, program);
    }
  });

  const scripts = { test: 'node --test', unit: 'mocha', 'test:a': 'a', 'test:b': 'b', lint: 'eslint', start: 'node server.js' };
  const calls: readonly (readonly [string, readonly string[]])[] = [
    ['npm run unit', ['unit']],
    ['npm run-script unit', ['unit']],
    ['npm t', ['test']],
    ['npm --silent test -- --grep one', ['test']],
    ['npm run --if-present nothing', ['nothing']],
    ['/usr/bin/npm test', ['test']],
    ['npm.cmd test', ['test']],
    ['NPM test', ['test']],
    ['node /usr/lib/npm-cli.js run unit', ['unit']],
    ['corepack pnpm run unit', ['unit']],
    ['yarn unit', ['unit']],
    ['yarn run unit --watch', ['unit']],
    ['pnpm unit', ['unit']],
    ['pnpm -s run unit', ['unit']],
    ['bun run unit', ['unit']],
    ['node --run unit', ['unit']],
    ['node --run=unit -- --watch', ['unit']],
    ['run-s lint "test:*"', ['lint', 'test:a', 'test:b']],
    ['run-p test:*', ['test:a', 'test:b']],
    ['npx npm-run-all --parallel lint unit', ['lint', 'unit']],
    ['concurrently "npm:test:*" "npm run lint" -n a,b', ['test:a', 'test:b', 'lint']],
    ['start-server-and-test start http://localhost:3000 unit', ['start', 'unit']],
    ['cross-env CI=1 npm run unit', ['unit']],
    ['env -i A=b nice -n 5 npm run unit', ['unit']],
    ['nodemon --exec "npm run unit"', ['unit']],
    ['sh -c "npm run unit"', ['unit']],
    ["bash -lc 'cd . && npm run unit'", ['unit']],
    ['timeout 60 npm run unit', ['unit']],
    ['! npm run unit || { npm run lint; }', ['unit', 'lint']],
    ['if npm run unit; then npm run lint; fi', ['unit', 'lint']],
    ['(npm run unit) | tee out.txt & npm run lint', ['unit', 'lint']],
    ['npm run \\\n unit\nnpm run lint', ['unit', 'lint']],
    ['npm "run" u\'ni\'t', ['unit']],
    ['npm run restart-not', ['restart-not']],
    ['npm restart', ['restart', 'stop', 'start']],
  ];
  for (const [command, names] of calls) {
    it(`follows ${JSON.stringify(command)}`, async () => {
      assert.deepEqual(await reached(command, scripts), names);
    });
  }

  it('takes a program with its arguments as it is, without a shell', async () => {
    assert.deepEqual(await reached(['npm', 'run', 'unit'], scripts), ['unit']);
    assert.deepEqual(await reached(['echo', '&& npm run unit'], scripts), ['unit']);
  });

  it('goes where the command goes', async () => {
    const others = { '/demo/web': { build: 'vite build' }, '/other': { build: 'make' } };
    for (const command of [
      'cd web && npm run build',
      '(cd web; npm run build)',
      'npm --prefix web run build',
      'pnpm -C ./web build',
      'yarn --cwd=web build',
    ]) {
      assert.deepEqual(await reached(command, scripts, others), ['/demo/web build'], command);
    }
    assert.deepEqual(await reached('(cd web && npm run build) && npm run unit && cd ../other && npm run build', scripts, others), [
      '/demo/web build',
      'unit',
      '/other build',
    ]);
  });

  it('adds arguments to the script they are for, since they may name another', async () => {
    assert.deepEqual(await reached('npm run any -- unit', { any: 'npm run', unit: 'mocha' }), ['any', 'unit']);
    assert.deepEqual(await reached('yarn any unit', { any: 'run-s', unit: 'mocha' }), ['any', 'unit']);
  });

  it('ends where scripts call each other in a circle', async () => {
    assert.deepEqual(await reached('npm test', { test: 'npm run a', a: 'npm run b', b: 'npm run a && npm test' }), ['test', 'a', 'b']);
  });

  const unknowable = [
    'npm run $NAME',
    'npm run "${NAME}"',
    'npm run `cat name`',
    'npm run $(cat name)',
    '$RUNNER test',
    '%RUNNER% test',
    'npm run t*',
    'eval "npm run unit"',
    '. ./env.sh && npm test',
    'echo "npm run unit" | sh',
    'bash -c "$SCRIPT"',
    'for name in a b; do npm run $name; done',
    'cat names | xargs npm run',
    'npm install',
    'npm ci && npm test',
    'yarn',
    'npm -w web test',
    'npm test --workspaces',
    'pnpm -r test',
    'pnpm --filter web test',
    'yarn workspace web test',
    'turbo run test',
    'nx test',
    'deno task test',
    'npm run unit --script-shell ./evil',
    'npm_config_script_shell=./evil npm run unit',
    'cross-env npm_config_workspace=web npm test',
    'cd $WHERE && npm test',
    'cd nowhere && npm test',
    'cd web || npm test',
    'pushd web && npm test',
    'npm --prefix $WHERE test',
    'npm() { ./evil; }; npm test',
    'cat <<EOF | sh\nnpm run unit\nEOF',
    'npm test "',
    'node x.js # & npm run unit',
    'npx -c "npm run unit"',
    'env -C web npm test',
    'concurrently -P "npm:{1}"',
    'run-s "{a,b}"',
    'pnpm run "/^test/"',
    'pwsh -Command "npm test"',
  ];
  for (const command of unknowable) {
    it(`says that it cannot be known what ${JSON.stringify(command)} runs`, async () => {
      const { unknown } = await chainOf(command, scripts, { '/demo/web': { test: 'x' } });
      assert.notDeepEqual(unknown, []);
    });
  }

  it('says so of a script deep in the chain, in the words of that part', async () => {
    const { steps, unknown } = await chainOf('npm test', { test: 'npm run a', a: 'node x.js && npm run $B' });
    assert.deepEqual([steps.map(({ name }) => name), unknown], [['scripts.test', 'scripts.a'], ['npm run $B']]);
  });

  it('says so where settings of the package lead elsewhere, and where there is no package', async () => {
    const diverted = disk(
      { '/demo': { test: 'node --test' } },
      { '/demo/.npmrc': 'registry=https://npm.example\nscript-shell = ./evil.sh\n' },
    );
    assert.deepEqual((await resolveChain([{ command: 'npm test', folder: '/demo' }], diverted)).unknown, ['.npmrc script-shell']);
    const broken = disk({}, { '/demo/package.json': '{' });
    assert.deepEqual((await resolveChain([{ command: 'npm test', folder: '/demo' }], broken)).unknown, ['npm test']);
    assert.deepEqual((await resolveChain([{ command: 'npm test', folder: '/demo' }], disk({}))).unknown, ['npm test']);
  });

  it('gives up on what is too long or too deep, without following it', async () => {
    const long = await chainOf(`npm run unit; ${'a '.repeat(50_000)}`, scripts);
    assert.deepEqual([long.steps, long.unknown.length], [[], 1]);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`s${index}`, `npm run s${index + 1}`]));
    const deep = await chainOf('npm run s0', many);
    assert.ok(deep.steps.length < 200);
    assert.ok(deep.unknown.length > 0);
    const wide = await chainOf('run-s "s*"', Object.fromEntries(Object.keys(many).map((name) => [name, 'node x.js'])));
    assert.deepEqual([wide.steps.length, wide.unknown], [200, ["run-s 's*'"]]);
  });
});
