import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { repositoryRoot } from '../support/run/repository.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from '../support/run/temporaryFolder.mjs';

const linter = path.join(repositoryRoot, 'node_modules/oxlint/bin/oxlint');
const houseRules = path.join(repositoryRoot, 'test/support/lint/houseRules.mjs');

/** Each line with `bad` has to be found. */
const code = `export const maxItems = 4;
export const most = 4;
export const mostItems = 4; // bad
export const limits = { maxText: maxItems, longestText: maxItems }; // bad
export interface Limit { largestSize: number } // bad
export class Limits { deepestLevel = 4; } // bad
call(mostItems);
`;

describe("The linter's rules of this house", function () {
  this.timeout(60_000); // the linter is a process of its own
  let folder = '';
  before(() => (folder = createTemporaryFolder()));
  after(() => removeTemporaryFolder(folder));

  it('want the name of a limit to begin with max', () => {
    const rules = { 'house/limit-names': 'error' };
    writeFileSync(
      path.join(folder, '.oxlintrc.json'),
      JSON.stringify({ jsPlugins: [houseRules], categories: { correctness: 'off' }, rules }),
    );
    writeFileSync(path.join(folder, 'code.ts'), code);
    const { stdout } = spawnSync(process.execPath, [linter, '--format=unix'], { cwd: folder, encoding: 'utf8', timeout: 50_000 });
    const found = [...stdout.matchAll(/^code\.ts:(\d+):.*A limit is called max/gm)].map(([, line]) => Number(line));
    const bad = code.split('\n').flatMap((line, index) => (line.endsWith('// bad') ? [index + 1] : []));
    assert.deepEqual(found, bad, stdout);
  });
});
