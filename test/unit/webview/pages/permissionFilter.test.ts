import assert from 'node:assert/strict';
import type { PermissionRow } from '../../../../src/contract/pages/permissionMessages.ts';
import { matchingRows, subjectsOf } from '../../../../src/webview/pages/permissionFilter.ts';

const row = (id: string, changes: Partial<PermissionRow>): PermissionRow => ({
  id,
  who: 'Chat',
  what: 'call “echo” of the server “demo”',
  answer: 'allow',
  where: 'This workspace',
  isHere: true,
  since: '2026-01-01T00:00:00Z',
  subject: 'demo',
  ...changes,
});
const rows = [
  row('1', {}),
  row('2', { who: 'Run Tool', subject: 'shop' }),
  row('3', { isHere: false, where: 'The workspace /other', subject: 'demo' }),
];

describe('The filter of the permissions', () => {
  const found = (filter: Partial<Parameters<typeof matchingRows>[1]>): string[] =>
    matchingRows(rows, { text: '', subject: '', place: 'all', ...filter }).map(({ id }) => id);

  it('finds what is typed in any column, whatever the case, and by server and by place', () => {
    assert.deepEqual(found({}), ['1', '2', '3']);
    assert.deepEqual(found({ text: ' RUN tool' }), ['2']);
    assert.deepEqual(found({ text: '/other' }), ['3']);
    assert.deepEqual(found({ subject: 'demo' }), ['1', '3']);
    assert.deepEqual(found({ subject: 'demo', place: 'elsewhere' }), ['3']);
    assert.deepEqual(found({ place: 'here' }), ['1', '2']);
    assert.deepEqual(subjectsOf(rows), ['demo', 'shop']);
  });
});
