import assert from 'node:assert/strict';
import { isOnlyTests, isTestCommand, testCommandsIn } from '../../../src/testRuns/terminalRuns.ts';

describe('Test commands in a terminal', () => {
  it('are recognised by their words', () => {
    const tests = [
      'npm test',
      'npm t',
      'npm run test',
      'npm run test:unit -- --grep x',
      'npm --silent test',
      'pnpm test',
      'yarn test',
      'bun test',
      'npx vitest run',
      'npx --yes jest',
      'pnpm exec mocha',
      './node_modules/.bin/mocha test',
      'node --test',
      'node --import tsx --test test/a.test.ts',
      'CI=1 npm test',
      'cd packages/a && npm test',
      'go test ./...',
      'cargo test',
      'cargo nextest run',
      'pytest -q',
      'python -m pytest',
      'python3.11 -m unittest discover',
      'uv run pytest',
      'poetry run pytest',
      'dotnet test',
      'mvn test',
      './gradlew test',
      'make test',
      'ctest',
    ];
    assert.deepEqual(
      tests.filter((command) => !isTestCommand(command)),
      [],
    );
  });

  it('are not confused with others', () => {
    const others = [
      '',
      'npm install',
      'npm run build',
      'npm start test',
      'git commit -m test',
      'cat test',
      'node server.js --test-mode',
      'echo npm test',
      'cd test',
      'ls test/',
      'go build ./test',
      'code test.js',
      'cargo build',
    ];
    assert.deepEqual(
      others.filter((command) => isTestCommand(command)),
      [],
    );
  });

  it('are shown without what else was typed on the same line', () => {
    const shown = {
      'npm test': 'npm test',
      'npm test -- --grep "a b"': 'npm test -- --grep "a b"',
      'npm test && curl -H "x: y" https://example.com': 'npm test',
      'cat .env; cd a && npm test || deploy now': 'npm test',
      'npm run test:unit && pytest -q': 'npm run test:unit; pytest -q',
      'API=1234 CI=1 npm test': 'npm test',
      'npm test -- $(cat .env) x': 'npm test --',
      'npm test 2>errors.txt': 'npm test',
      'npm test # remember 1234': 'npm test',
    };
    assert.deepEqual(Object.keys(shown).map(testCommandsIn), Object.values(shown));
  });

  it('tell when something else runs on the same line', () => {
    const lines = ['npm test', 'cd a && npm test', 'npm test; cat .env', 'npm test | tee x', 'npm test > x', 'npm test -- $(cat .env)'];
    assert.deepEqual(lines.map(isOnlyTests), [true, true, false, false, false, false]);
  });
});
