import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { isLongFile, isRunBy, releaseMark } from '../support/run/releaseMarks.mjs';
import { filesOfWholeRun, kindPlans, marksOfWholeRun, type TestKind } from '../support/run/testKinds.mjs';

const testFolder = path.resolve(import.meta.dirname, '..');
const files = readdirSync(testFolder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(?:test|spec)\.ts$/.test(file));
const textOf = (file: string): string => readFileSync(path.join(testFolder, file), 'utf8');

describe('A test file', () => {
  it('prepares and tidies up for its own tests alone: all files of a kind run in one process', () => {
    const forAll = files.filter((file) => /^(?:before|after)(?:Each)?\(/m.test(textOf(file)));
    assert.ok(files.length > 100, 'they are found');
    assert.deepEqual(forAll, []);
  });

  it('has each of its tests run by one set or the other', () => {
    const marked = `takes long${releaseMark}`;
    const runs = (file: string, title: string): string[] => ['without', 'only'].filter((marks) => isRunBy(marks, file, title));
    assert.deepEqual([runs('a.test.ts', 'is quick'), runs('a.test.ts', marked)], [['without'], ['only']]);
    assert.ok(
      ['is quick', marked].every((title) => isRunBy('', 'a.test.ts', title)),
      'whoever names a file gets all of it',
    );
    const ofRelease = new Set(
      (Object.keys(kindPlans) as TestKind[])
        .filter((kind) => marksOfWholeRun(kind) === 'only')
        .flatMap((kind) => filesOfWholeRun(kind).map((file) => path.join(kindPlans[kind].folder.replace(/^test\/?/, ''), file))),
    );
    const late = files.filter((file) => isLongFile(file) || textOf(file).includes(releaseMark));
    assert.ok(late.length > 50, 'they are found');
    assert.deepEqual(
      late.filter((file) => !ofRelease.has(file)),
      [],
    );
  });
});
