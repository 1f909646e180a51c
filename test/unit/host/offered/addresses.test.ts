import assert from 'node:assert/strict';
import { fitsTemplate, isForeignAddress } from '../../../../src/host/offered/addresses.ts';
import { ownTime } from '../../../support/longestBlock.ts';

describe('addresses of offered servers', () => {
  it('are none of the editor’s own, however they are written', () => {
    const own =
      'editor://open diagnostics://workspace file:///etc/passwd FILE:///c: workspace://folders tests://latest symbols://file/a syntax://file/a git://changes terminal://1 skill://duplex/debug/SKILL.md skill://Duplex/x skill:duplex/x skill://%64uplex/x';
    assert.deepEqual(own.split(' ').filter(isForeignAddress), []);
    assert.deepEqual(
      ['test://a', 'ui://app/page', 'skill://other/x', 'demo+x:1', 'skill://duplex2'].map(isForeignAddress),
      Array(5).fill(true),
    );
  });

  it('say their scheme, and have no blanks and nothing invisible', () => {
    assert.deepEqual(
      ['', 'a', '//a', '{+any}', 'a{b}:c', ' test://a', 'test://a b', 'test://a\n', 'te\u200Bst://a', `test:${'a'.repeat(3_000)}`].filter(
        isForeignAddress,
      ),
      [],
    );
  });

  it('follow a pattern by its fixed texts, in their order', () => {
    assert.ok(fitsTemplate('demo://text/7', 'demo://text/{id}'));
    assert.ok(fitsTemplate('demo://a/of/b?x=1', 'demo://{one}/of/{+two}{?x}'));
    assert.ok(fitsTemplate('demo://fixed', 'demo://fixed'));
    assert.deepEqual(
      [
        fitsTemplate('demo://blob/7', 'demo://text/{id}'),
        fitsTemplate('demo://a/b', 'demo://{one}/of/{two}'),
        fitsTemplate('demo://x/', 'demo://x/{id}/y'),
        fitsTemplate('ab', 'ab{x}b'),
        fitsTemplate('demo://fixed/', 'demo://fixed'),
      ],
      Array(5).fill(false),
    );
  });

  it('are compared with a hostile pattern in no time', async () => {
    const pattern = `x:${'{a}b'.repeat(400)}`;
    const elapsed = await ownTime(() => assert.equal(fitsTemplate(`x:${'b'.repeat(399)}c`, pattern), false));
    assert.ok(elapsed < 500, `${elapsed} ms`); // tried in every way it would take for ever
  });
});
