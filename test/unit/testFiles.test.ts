import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

const testFolder = path.resolve(import.meta.dirname, '..');

describe('A test file', () => {
  it('prepares and tidies up for its own tests alone: all files of a kind run in one process', () => {
    const files = readdirSync(testFolder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(?:test|spec)\.ts$/.test(file));
    const forAll = files.filter((file) => /^(?:before|after)(?:Each)?\(/m.test(readFileSync(path.join(testFolder, file), 'utf8')));
    assert.ok(files.length > 100, 'they are found');
    assert.deepEqual(forAll, []);
  });
});
