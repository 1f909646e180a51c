import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { startsWithFolder } from '../../../../../src/editor/acting/tasks/taskEntries.ts';

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
