import type { ShellWord } from '../chain/shellLine.ts';
import type { Framework } from './testPrograms.ts';

interface KnownOptions {
  /** Options whose value is the next word. */
  readonly values: ReadonlySet<string>;
  /** Options without a value. */
  readonly flags: ReadonlySet<string>;
}

function options(values: string, flags: string): KnownOptions {
  return { values: new Set(values.split(' ')), flags: new Set(flags.split(' ')) };
}

const known: Readonly<Record<Exclude<Framework, 'unittest' | 'go'>, KnownOptions>> = {
  node: options(
    '--import --require -r --loader --experimental-loader --env-file --env-file-if-exists --conditions -C --test-reporter --test-reporter-destination --test-concurrency --test-timeout --test-shard --test-skip-pattern --test-isolation --test-global-setup --test-coverage-include --test-coverage-exclude --tsconfig',
    '--watch --test-only --test-force-exit --test-update-snapshots --enable-source-maps --no-warnings --experimental-strip-types --experimental-test-coverage --experimental-vm-modules --experimental-test-module-mocks --experimental-test-snapshots --no-cache',
  ),
  mocha: options(
    '-r --require -R --reporter -u --ui -t --timeout -s --slow --config --package --file --ignore --exclude --extension -O --reporter-option --reporter-options -j --jobs --retries -n --node-option --watch-files --watch-ignore --import --loader',
    '--recursive --exit --bail -b --parallel -p --check-leaks --color -c --colors --no-color --no-colors -C --inline-diffs --full-trace --sort -S --forbid-only --forbid-pending --allow-uncaught --async-only -A --diff --no-diff --no-timeout --no-timeouts --quiet --dry-run --fail-zero --delay -w --watch --no-config --no-package --enable-source-maps --experimental-vm-modules',
  ),
  jest: options(
    '-c --config --rootDir --roots --env --testEnvironment --reporters --coverageDirectory --coverageReporters -w --maxWorkers --projects --selectProjects --setupFilesAfterEnv --testTimeout --shard --changedSince --outputFile --testResultsProcessor --testRunner',
    '--ci --coverage --runInBand -i --verbose --silent --passWithNoTests --detectOpenHandles --forceExit --bail -b --no-cache --watch --watchAll --colors --color --no-color --expand -e --onlyChanged -o --json --logHeapUsage --updateSnapshot -u --no-coverage --runTestsByPath --useStderr --errorOnDeprecated --resetMocks --clearMocks',
  ),
  vitest: options(
    '-c --config -r --root --reporter --environment --project --pool --mode --dir --outputFile --testTimeout --shard --maxWorkers --minWorkers --bail --retry',
    '--run --coverage --watch -w --ui --globals --passWithNoTests --silent --no-file-parallelism --typecheck --isolate --no-isolate -u --update --no-color --no-watch --dom --logHeapUsage --allowOnly --no-coverage --hideSkippedTests',
  ),
  pytest: options(
    '-m -c -p -n -o -W --rootdir --cov --cov-report --cov-config --durations --maxfail --tb --junitxml --junit-xml --ignore --deselect --basetemp --log-level --log-cli-level --timeout --dist --import-mode --numprocesses --override-ini --confcutdir --capture --color --verbosity',
    '-v -vv -vvv -q -qq -s -x -l -ra -rA -rs -rf -rfE --strict-markers --strict-config --lf --ff --sw --nf --last-failed --failed-first --stepwise --no-header --no-summary --disable-warnings --showlocals --no-cov --doctest-modules --verbose --quiet --exitfirst --full-trace --cache-clear --pdb --benchmark-disable',
  ),
};

/** Matches what looks like a file, a folder or a pattern for their names. */
const fileLike = /[*?{/\\]|\.(?:[cm]?[jt]sx?|py)$|^(?:tests?|__tests__|specs?|src|lib|dist|e2e|unit|integration|\.)$/;

/**
 * Finds the files and folders that a command names for its tests. `undefined` where an option that is not known here stands before
 * something that looks like a file: it may be the value of that option.
 */
export function positionalsIn<T extends ShellWord>(
  given: readonly T[],
  framework: Exclude<Framework, 'unittest' | 'go'>,
): readonly T[] | undefined {
  const { values, flags } = known[framework];
  const found: T[] = [];
  for (const [index, word] of given.entries()) {
    const before = given[index - 1]?.text ?? '';
    const isOption = word.text.startsWith('-');
    // Node gives everything behind the first file to the tests.
    if (isOption && !(framework === 'node' && found.length > 0)) {
      continue;
    }
    const isBehindOption = before.startsWith('-') && !before.includes('=') && !flags.has(before) && found.at(-1) !== given[index - 1];
    if (!isBehindOption) {
      found.push(word);
    } else if (!values.has(before) && fileLike.test(word.text)) {
      return undefined;
    }
  }
  return found;
}
