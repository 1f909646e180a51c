import assert from 'node:assert/strict';
import type { RememberedAnswer } from '../../../../src/consent/consentModel.ts';
import { nameInId } from '../../../../src/definitions/serverNames.ts';
import { permissionRows } from '../../../../src/views/permissions/permissionRows.ts';
import { translating } from '../sentences/otherLanguage.ts';

const tool = (name: string, more: Partial<RememberedAnswer> = {}): RememberedAnswer => ({
  id: name,
  principal: 'chat',
  action: 'callTool',
  subject: ['server', 'user:demo', 'tool', name],
  answer: 'allow',
  scope: 'always',
  fingerprint: '',
  material: {},
  since: '2026-01-01T00:00:00Z',
  ...more,
});
const rows = (...answers: readonly RememberedAnswer[]): ReturnType<typeof permissionRows> =>
  permissionRows(
    answers,
    () => true,
    (id) => ({ name: nameInId(id), isHere: true }),
    translating({}),
  );

describe('The rows of remembered answers', () => {
  it('have one for tools that were allowed as one, which names them all and when any was last used', () => {
    const together = ['roll', 'echo', 'se\u200Bnd'].map((name, index) =>
      tool(name, { group: 'g', lastUsed: `2026-01-0${index + 2}T00:00:00Z` }),
    );
    assert.deepEqual(rows(...together), [
      {
        id: 'g',
        who: 'Chat',
        what: 'call the 3 tools that the server “demo” had then: echo, roll, se⟨U+200B⟩nd',
        answer: 'allow',
        where: 'Everywhere',
        isHere: true,
        since: '2026-01-01T00:00:00Z',
        lastUsed: '2026-01-04T00:00:00Z',
        subject: 'demo',
      },
    ]);
  });

  it('have the latest first, one for each answer of its own, and name the last of a group by itself', () => {
    const later = tool('later', { since: '2026-02-01T00:00:00Z' });
    assert.deepEqual(
      rows(tool('one', { group: 'left' }), later).map(({ id, what }) => [id, what]),
      [
        ['later', 'call “later” of the server “demo”'],
        ['left', 'call “one” of the server “demo”'],
      ],
    );
  });
});
