import assert from 'node:assert/strict';
import { maxContentBytes, prepareContent } from '../../../../src/chat/content/preparedContent.ts';
import { secretPlaces } from '../../../../src/server/seen/withheld/redactSecrets.ts';
import { longestBlock } from '../../../support/longestBlock.ts';
import { text } from './support.ts';

const token = `ghp_${'a1B2'.repeat(9)}`;
const key = ['-----BEGIN PRIVATE KEY-----', ...Array.from({ length: 20 }, () => 'A1b2'.repeat(16)), '-----END PRIVATE KEY-----'].join('\n');

describe('Content that is made ready to be sent', () => {
  it('counts the lines of a key as one secret', async () => {
    const { items, secrets } = await prepareContent([text(`${key}\nend`)], secretPlaces);
    assert.equal(secrets.length, 1);
    assert.deepEqual(items[0]?.kind === 'text' && items[0].pieces, [
      '-----BEGIN PRIVATE KEY-----\n',
      1,
      '\n-----END PRIVATE KEY-----\nend',
    ]);
  });

  it('is cut where it is too long, says so, and leaves no half of a secret at the cut', async () => {
    const before = 'x'.repeat(maxContentBytes - 20).replace(/.$/, ' ');
    const { items, bytes, totalBytes, secrets } = await prepareContent([text(`${before}${token} and more`), text('later')], secretPlaces);
    assert.deepEqual([bytes, totalBytes], [maxContentBytes, maxContentBytes - 20 + token.length + ' and more'.length + 'later'.length]);
    assert.equal(secrets.length, 1);
    assert.deepEqual(
      items.map((item) => item.kind === 'text' && item.pieces.at(-1)),
      [1, undefined],
    );
  });

  it('names what a model cannot take, and shows images that it can', async () => {
    const blob = (mimeType: string): Parameters<typeof prepareContent>[0][number] => ({
      kind: 'blob',
      name: 'a',
      mimeType,
      data: 'aGVsbG8=',
    });
    const given = [blob('image/png'), blob('image/svg+xml'), blob('audio/wav'), blob('application/zip')];
    const { items, bytes } = await prepareContent([...given, { kind: 'link', name: 'b', uri: 'file:///etc/passwd' }], secretPlaces);
    assert.deepEqual(
      items.map((item) => (item.kind === 'named' ? item.what : item.kind)),
      ['image', 'image', 'audio', 'binary', 'link'],
    );
    assert.deepEqual([items[0]?.kind, items[1]?.kind, bytes], ['image', 'named', 5]);
  });

  it('is ready in time, however large it is and whatever it is made of', async () => {
    const hostile = [`${token} `.repeat(100_000), 'password=password='.repeat(200_000), '\u200B \u200B'.repeat(500_000)];
    for (const each of hostile) {
      const block = await longestBlock(() => prepareContent([text(each)], secretPlaces));
      assert.ok(block < 500, `nothing else ran for ${Math.round(block)} ms`);
    }
  });
});
