import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json.ts';
import {
  entriesNamed,
  entriesOf,
  hasOwnMatcher,
  isOnlyOthers,
  type NamedTask,
  neededBy,
  runsInOrder,
  shellOptions,
  startsWithFolder,
} from '../../../../../src/editor/acting/tasks/taskEntries.ts';

const decoy = { label: 'decoy', identifier: 'test', type: 'shell', command: 'echo decoy' };
const real = { label: 'test', type: 'shell', command: 'npm test', dependsOn: ['evil'] };
const other = { label: 'other', type: 'shell', command: 'true' };
const unlabelled = { type: 'npm', script: 'test', dependsOn: ['evil'] };
const written: NamedTask = { name: 'test', definition: { type: 'shell', id: 'shell,x' }, isWritten: true };
const contributed: NamedTask = { name: 'test', definition: { type: 'npm', script: 'test' }, isWritten: false };

describe('What tasks.json says about how a task runs', () => {
  it('counts for whatever platform it is said', () => {
    assert.deepEqual([{ dependsOrder: 'sequence' }, { osx: { dependsOrder: 'sequence' } }, { dependsOrder: 'parallel' }].map(runsInOrder), [
      true,
      true,
      false,
    ]);
    assert.deepEqual(
      [{ problemMatcher: '$tsc' }, { problemMatcher: ['$tsc', { pattern: {} }] }, { windows: { problemMatcher: {} } }].map(hasOwnMatcher),
      [false, true, true],
    );
    const options = { env: { BASH_ENV: './evil' } };
    assert.deepEqual(
      [{ options }, { linux: { options } }, { options: { shell: {} } }, { isShellCommand: true }, { options: { cwd: 'x' } }].map(
        shellOptions,
      ),
      [['env'], ['env'], ['shell'], ['isShellCommand'], []],
    );
  });
});

describe('The entry of a task in tasks.json', () => {
  const cases: readonly (readonly [string, NamedTask, readonly JsonObject[], readonly JsonObject[]])[] = [
    ['is the one with its label', written, [other, real], [real]],
    ['is one of all that have its name, the one with its label first', written, [decoy, other, real], [real, decoy]],
    ['is one of two with the same label', written, [real, { ...real, dependsOn: [] }], [real, { ...real, dependsOn: [] }]],
    ['may have its name as identifier alone', written, [other, decoy], [decoy]],
    ['is the unlabelled one that says what it is', contributed, [other, unlabelled], [unlabelled]],
    ['is not hidden by an identifier where it has no label', contributed, [decoy, unlabelled], [decoy, unlabelled]],
    ['is no unlabelled one where one that somebody wrote has its label', written, [real, { type: 'shell', command: 'x' }], [real]],
    ['may be missing', written, [other], []],
  ];
  for (const [outcome, task, configured, expected] of cases) {
    it(outcome, () => {
      assert.deepEqual(entriesOf(task, configured), expected);
    });
  }

  it('is found by any of its names where another task needs it, the label first', () => {
    assert.deepEqual(entriesNamed('test', [decoy, other, real]), [real, decoy]);
  });

  it('needs other tasks on every platform', () => {
    assert.deepEqual(neededBy({ dependsOn: 'a', windows: { dependsOn: ['b'] }, linux: { dependsOn: { type: 'npm' } } }), [
      'a',
      'b',
      { type: 'npm' },
    ]);
    assert.equal(isOnlyOthers({ dependsOn: 'a' }), true);
    assert.equal(isOnlyOthers({ dependsOn: 'a', linux: { command: 'x' } }), false);
  });
});

const definition = { type: 'duplex', server: 'shop', tool: 'order' };
const task = { name: 'order', definition, isWritten: true };
const entry = { ...definition, label: 'order' };
const automatic = { label: 'at opening', runOptions: { runOn: 'folderOpen' } };

describe('A task may start with its folder', () => {
  const cases: readonly (readonly [string, boolean, readonly JsonObject[]])[] = [
    ['when its entry says so', true, [{ ...entry, runOptions: { runOn: 'folderOpen' } }]],
    ['when its entry says so for one platform', true, [{ ...entry, linux: { runOptions: { runOn: 'folderOpen' } } }]],
    ['when one that does needs it', true, [entry, { ...automatic, dependsOn: 'order' }]],
    [
      'when one that does needs it by its identifier',
      true,
      [
        { ...entry, identifier: 'o' },
        { ...automatic, dependsOn: ['o'] },
      ],
    ],
    ['when one that does needs it by its definition', true, [entry, { ...automatic, dependsOn: [definition] }]],
    ['when one that does needs it over others', true, [entry, { ...automatic, dependsOn: 'a' }, { label: 'a', dependsOn: 'order' }]],
    ['when it has no entry and one that does needs it', true, [{ ...automatic, dependsOn: ['duplex: order'] }]],
    ['but does not when nobody says so', false, [entry, { label: 'a', dependsOn: 'order' }]],
    ['but does not when it needs one that does', false, [{ ...entry, dependsOn: ['at opening'] }, automatic]],
    ['but does not for tasks in a circle', false, [entry, { ...automatic, dependsOn: 'a' }, { label: 'a', dependsOn: 'at opening' }]],
  ];
  for (const [when, expected, configured] of cases) {
    it(when, () => assert.equal(startsWithFolder(task, configured), expected));
  }
});
