import assert from 'node:assert/strict';
import { chatToHost } from '../../src/contract/chat/chatMessages.ts';
import { parseMessage } from '../../src/contract/pages/messageLink.ts';
import { referencePlaces } from '../../src/views/chat/fileReferencePaths.ts';

const one = [{ name: 'demo', path: '/projects/demo' }];
const two = [...one, { name: 'other', path: '/projects/other' }];

describe('A file named by a model, a server or a forged message', () => {
  for (const path of [
    '../demo-secret/x',
    '../..',
    'src/../../x',
    'a/../../../etc/passwd',
    '..\\x',
    '/etc/passwd',
    '\\\\host\\share\\x',
    'C:\\Windows\\x',
    'C:x',
    'file:///etc/passwd',
    'command:workbench.action.quit',
    'x.js:stream',
    'a\u0000b',
    '',
    '.',
    './/',
  ]) {
    it(`is not looked for outside the workspace: ${JSON.stringify(path)}`, () => {
      assert.equal(referencePlaces(path, one), undefined);
      assert.equal(referencePlaces(path, two), undefined);
    });
  }

  it('is looked for in every folder, also behind the name of one of several', () => {
    assert.deepEqual(referencePlaces('src/a.js', one), [{ folder: 0, segments: ['src', 'a.js'] }]);
    assert.deepEqual(referencePlaces('./..x/a.js', one), [{ folder: 0, segments: ['..x', 'a.js'] }]);
    assert.deepEqual(referencePlaces('other/a.js', two), [
      { folder: 0, segments: ['other', 'a.js'] },
      { folder: 1, segments: ['other', 'a.js'] },
      { folder: 1, segments: ['a.js'] },
    ]);
  });

  it('cannot leave a folder through the name of another', () => {
    assert.equal(referencePlaces('other/../../x', two), undefined);
  });

  it('has whole numbers from 1 as its place', () => {
    const bodies = [{ path: 'a', line: 0 }, { path: 'a', line: 1.5 }, { path: 'a', line: '1' }, { path: '' }, { path: 'x'.repeat(2_000) }];
    assert.deepEqual(
      bodies.map((body) => parseMessage(chatToHost, { name: 'file/open', body })),
      bodies.map(() => undefined),
    );
  });
});
