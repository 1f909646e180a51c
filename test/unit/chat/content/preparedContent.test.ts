import assert from 'node:assert/strict';
import { sentBlock } from '../../../../src/chat/conversation/attachedBlock.ts';
import { maxContentBytes, prepareContent, type PreparedContent } from '../../../../src/chat/content/preparedContent.ts';
import { secretPlaces } from '../../../../src/secrets/redactSecrets.ts';
import { dataAddress } from '../../../../src/webview/shared/linkPolicy.ts';
import { longestBlock } from '../../../support/longestBlock.ts';
import { text } from './support.ts';
import { pngOf } from '../../../support/tinyPictures.ts';

const token = `ghp_${'a1B2'.repeat(9)}`;
const key = ['-----BEGIN PRIVATE KEY-----', ...Array.from({ length: 20 }, () => 'A1b2'.repeat(16)), '-----END PRIVATE KEY-----'].join('\n');

/** Without our lines around it. */
function sentTexts(prepared: PreparedContent): readonly string[] {
  const { content } = sentBlock('demo', { kind: 'resource', uri: 'a', name: 'a' }, prepared, []);
  return content.slice(1, -1).map((block) => (block.type === 'text' ? block.text : block.mimeType));
}

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
    const { items, bytes, totalBytes, totalParts, secrets } = await prepareContent(
      [text(`${before}${token} and more`), text('later')],
      secretPlaces,
    );
    const [sent, left] = [before.length + '[redacted]'.length, token.length - 20 + ' and more'.length + 'later'.length];
    assert.deepEqual([bytes, totalBytes, totalParts], [sent, sent + left, 2]);
    assert.equal(secrets.length, 1);
    assert.deepEqual(
      items.map((item) => item.kind === 'text' && item.pieces.at(-1)),
      [1],
    );
  });

  it('names what a model cannot take, and shows images that it can', async () => {
    const blob = (mimeType: string): Parameters<typeof prepareContent>[0][number] => ({
      kind: 'blob',
      name: 'a',
      mimeType,
      data: pngOf(),
    });
    const given = [blob('image/png'), blob('image/svg+xml'), blob('audio/wav'), blob('application/zip')];
    const { items, bytes } = await prepareContent([...given, { kind: 'link', name: 'b', uri: 'file:///etc/passwd' }], secretPlaces);
    assert.deepEqual(
      items.map((item) => (item.kind === 'named' ? item.what : item.kind)),
      ['image', 'image', 'audio', 'binary', 'link'],
    );
    const named = 'aimage/svg+xmlaaudio/wavaapplication/zipbfile:///etc/passwd';
    assert.deepEqual([items[0]?.kind, items[1]?.kind, bytes], ['image', 'named', 24 + named.length]);
  });

  it('has the names, addresses and types of its parts without secrets, with nothing hidden, cut and counted', async () => {
    const hostile = `${token} do\u200B it ${'x'.repeat(5_000_000)}`;
    const given: Parameters<typeof prepareContent>[0] = [
      { kind: 'blob', name: hostile, mimeType: `application/${hostile}`, data: 'AAAA' },
      { kind: 'link', name: hostile, uri: 'https://ada:correct-horse-7@example.test/' },
    ];
    const prepared = await prepareContent(given, secretPlaces);
    const sent = sentTexts(prepared).join('\n');
    assert.ok(!/ghp_|correct-horse|\u200B/.test(sent + JSON.stringify(prepared.items)) && sent.includes('[redacted] do⟨U+200B⟩ it xxx'));
    assert.ok(sent.length < 4_000 && prepared.bytes > 3_000 && prepared.bytes <= Buffer.byteLength(sent));
  });

  it('never is more than the limit, also where names or what is written out make it longer, and has the size that it says', async () => {
    const names = Array.from({ length: 200 }, (): Parameters<typeof prepareContent>[0][number] => ({
      kind: 'link',
      name: '語'.repeat(1_000),
      uri: '語'.repeat(1_000),
    }));
    const hidden = [text('\u200B\u200C'.repeat(100_000))];
    for (const given of [names, hidden, [text('\u0001x😀\r\n❤\uFE0F'.repeat(100_000))]]) {
      const prepared = await prepareContent(given, secretPlaces);
      assert.ok(prepared.bytes > maxContentBytes - 20 && prepared.bytes <= maxContentBytes, String(prepared.bytes));
      assert.ok((prepared.totalBytes ?? prepared.totalParts ?? 0) > 0);
      const whole = sentTexts(prepared).join('');
      assert.ok(!/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/.test(whole) && !whole.includes('U+FE0F') && !whole.includes('U+000D'));
      if (given !== names) {
        assert.equal(Buffer.byteLength(whole), prepared.bytes);
      }
    }
  });

  it('says how many of its parts are sent', async () => {
    const given = Array.from({ length: 201 }, (): Parameters<typeof prepareContent>[0][number] => ({
      kind: 'blob',
      name: 'a',
      mimeType: 'application/zip',
      data: 'AAAA',
    }));
    const prepared = await prepareContent(given, secretPlaces);
    assert.deepEqual([prepared.items.length, prepared.totalParts, prepared.totalBytes], [200, 201, undefined]);
    const { content } = sentBlock('demo', { kind: 'resource', uri: 'a', name: 'a' }, prepared, []);
    assert.match(JSON.stringify(content.at(-1)), /200 of 201 parts are here/);
  });

  it('has only those images that a page draws: others are named', async () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    for (const data of [png, `${png.slice(0, 8)}\n${png.slice(8)}`, ` ${png}`, `${png}===`, 'a-_b', '']) {
      const { items } = await prepareContent([{ kind: 'blob', name: '', mimeType: 'image/png', data }], secretPlaces);
      assert.deepEqual([items[0]?.kind === 'image', items.length], [dataAddress('image', 'image/png', data) !== undefined, 1], data);
    }
  });

  it('lets others have their turn, however many parts it has, and does not search what is not sent', async () => {
    let searched = 0;
    const counting = (value: string): ReturnType<typeof secretPlaces> => {
      searched += value.length;
      return secretPlaces(value);
    };
    const parts = Array.from({ length: 200 }, () => text('password=abc123def4\n'.repeat(2_500), ''));
    const small = Array.from({ length: 200 }, () => text('password=abc123def4\n'.repeat(95), ''));
    for (const given of [parts, small]) {
      const block = await longestBlock(() => prepareContent(given, counting));
      assert.ok(block < 500, `nothing else ran for ${Math.round(block)} ms`);
    }
    assert.ok(searched < 3 * maxContentBytes, `${searched} characters were searched`);
    const padding: Parameters<typeof prepareContent>[0] = [
      { kind: 'blob', name: '', mimeType: 'image/png', data: `${'='.repeat(300_000)}x` },
    ];
    assert.ok((await longestBlock(() => prepareContent(padding, secretPlaces))) < 500);
  });

  it('is ready in time, however large it is and whatever it is made of', async () => {
    const hostile = [`${token} `.repeat(100_000), 'password=password='.repeat(200_000), '\u200B \u200B'.repeat(500_000)];
    for (const each of hostile) {
      const block = await longestBlock(() => prepareContent([text(each)], secretPlaces));
      assert.ok(block < 500, `nothing else ran for ${Math.round(block)} ms`);
    }
  });
});
