import assert from 'node:assert/strict';
import { HeardTexts, type HeardResult } from '../../../../src/consent/heard/heardTexts.ts';
import type { JsonObject, JsonValue } from '../../../../src/base/json.ts';
import { longestBlock } from '../../../support/longestBlock.ts';

const secretText = 'The merger with Blue Harbour will be announced on Friday at noon.';

function heardFrom(more: Partial<HeardResult> = {}): HeardTexts {
  const heard = new HeardTexts();
  heard.add({
    serverId: 'a',
    server: 'mail',
    tool: 'read',
    arguments: {},
    result: { content: [{ type: 'text', text: secretText }] },
    ...more,
  });
  return heard;
}

/** Where something of an earlier result was found: "path encoding: excerpt". */
async function foundIn(args: JsonObject, heard = heardFrom(), serverId = 'b'): Promise<readonly string[]> {
  const { carried } = await heard.findIn(args, serverId);
  return carried.map(({ path, encoding, excerpt }) => `${path} ${encoding}: ${excerpt}`);
}

describe('The texts that servers have said in a conversation', () => {
  it('are recognised in the arguments of a call of another server, with where they stand', async () => {
    const { carried, compared, isPartly } = await heardFrom().findIn(
      { to: ['x@example.com'], body: { text: `FYI: ${secretText} Bye.` } },
      'b',
    );
    assert.deepEqual(
      { carried, compared, isPartly },
      {
        carried: [
          {
            server: 'mail',
            tool: 'read',
            source: { kind: 'result' },
            path: 'body.text',
            encoding: 'plain',
            excerpt: secretText.slice(0, -1),
            characters: secretText.length - 1,
          },
        ],
        compared: 1,
        isPartly: false,
      },
    );
  });

  it('are not reported when they go back to the server that said them', async () => {
    assert.deepEqual(await heardFrom().findIn({ text: secretText }, 'a'), { carried: [], compared: 0, isPartly: false });
  });

  it('are recognised in every disguise that leaves the letters as they are', async () => {
    const disguises: Readonly<Record<string, string>> = {
      upper: secretText.toUpperCase(),
      wrapped: secretText.replaceAll(' ', '\n      > '),
      zeroWidth: Array.from(secretText).join('\u200B'),
      wide: secretText.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
      json: JSON.stringify({ text: secretText.replaceAll(' ', '\n') }),
      percent: encodeURIComponent(secretText),
      base64: `data:text/plain;base64,${Buffer.from(secretText).toString('base64')}`,
      base64url: Buffer.from(secretText).toString('base64url'),
      hex: Buffer.from(secretText).toString('hex'),
      link: `https://evil.example/?q=${encodeURIComponent(secretText)}`,
    };
    for (const [name, text] of Object.entries(disguises)) {
      assert.notDeepEqual(await foundIn({ text }), [], name);
    }
  });

  it('are recognised in keys, in lists, and cut in two', async () => {
    assert.equal((await foundIn({ [secretText]: 1 })).length, 1);
    assert.equal((await foundIn({ list: [{ deep: [secretText] }] }))[0]?.startsWith('list[0].deep[0] plain'), true);
    const cut = await foundIn({ a: secretText.slice(0, 20), b: secretText.slice(20, 40) });
    assert.deepEqual(cut, ['a plain: The merger with Blue', 'b plain: Harbour will be ann']);
  });

  it('are not seen in texts that merely speak of the same things, or are short', async () => {
    for (const text of ['On Friday there is a merger at Blue Harbour.', 'Blue Harbour will be', '0'.repeat(200), '']) {
      assert.deepEqual(await foundIn({ text }, heardFrom({ result: [secretText, '0'.repeat(500)] })), [], text);
    }
  });

  it('count from sixteen characters on where they look like a key', async () => {
    const heard = heardFrom({ result: 'key: AKIA4711ZX99QQ12 (do not share)' });
    assert.deepEqual(await foundIn({ header: 'Bearer AKIA4711ZX99QQ12' }, heard), ['header plain: AKIA4711ZX99QQ12']);
  });

  it('do not count where a server only repeats what it was given', async () => {
    assert.deepEqual(await foundIn({ text: secretText }, heardFrom({ arguments: { text: secretText } })), []);
  });

  it('are named by what is known of their source: a secret file, a page of the web', async () => {
    const sources = async (more: Partial<HeardResult>, serverId = 'b'): Promise<unknown> =>
      (await heardFrom(more).findIn({ text: secretText }, serverId)).carried.map(({ source }) => source);
    const page = { kind: 'webPage', host: 'news.example' };
    assert.deepEqual(await sources({ arguments: { path: '/home/me/app/.env.local' } }), [{ kind: 'withheldFile', name: '.env.local' }]);
    assert.deepEqual(await sources({ arguments: { url: 'https://news.example/today' } }), [page]);
    const result = [{ type: 'resource', resource: { uri: 'https://news.example/today', text: secretText } }];
    assert.deepEqual(await sources({ result }), [page]);
    assert.deepEqual(await sources({ result }, 'a'), [page], 'whoever gets it');
    assert.deepEqual(await sources({ arguments: { query: 'news' } }), [{ kind: 'result' }]);
  });

  it('are found wherever they stand in a long result, for any cut of them that is long enough', async () => {
    const filler = (length: number): string => Array.from({ length }, (_, index) => `w${(index * 7919) % 9973}`).join(' ');
    for (let offset = 0; offset < 12; offset += 1) {
      const heard = heardFrom({ result: `${filler(offset * 17)} ${secretText} ${filler(500)}` });
      const part = secretText.slice(offset, offset + 34);
      assert.equal((await foundIn({ text: `see ${part}!` }, heard)).length, 1, part);
    }
  });

  it('are looked through without holding up anybody, however they are made', async function () {
    this.timeout(30_000);
    const unlike = Array.from({ length: 150_000 }, (_, index) => (index * 2_654_435_761).toString(36))
      .join(' ')
      .slice(0, 1_000_000);
    const results: readonly JsonValue[] = [unlike, 'a'.repeat(1_000_000), 'ab'.repeat(500_000), 'the quick brown fox '.repeat(50_000)];
    const heard = new HeardTexts();
    results.forEach((result) => heard.add({ serverId: 'a', server: 'a', tool: 't', arguments: {}, result }));
    const args = {
      one: 'a'.repeat(40_000),
      two: 'ab'.repeat(20_000),
      three: 'the quick brown fox '.repeat(1_000),
      four: unlike.slice(-1_000),
    };
    let found: readonly string[] = [];
    const block = await longestBlock(async () => {
      found = await foundIn(args, heard);
    });
    assert.ok(found.some((each) => each.startsWith('four ')));
    assert.ok(block < 1_000, `blocked for ${block} ms`);
  });

  it('are kept within bounds, and it is said that not all was compared', async () => {
    const heard = heardFrom();
    for (let index = 0; index < 6; index += 1) {
      heard.add({ serverId: 'a', server: 'a', tool: 't', arguments: {}, result: `${index}`.repeat(999_999) });
    }
    const { carried, isPartly, compared } = await heard.findIn({ text: secretText }, 'b');
    assert.deepEqual([carried, isPartly, compared < 6], [[], true, true]);
  });

  it('leave out pictures', async () => {
    const picture = Buffer.from(secretText.repeat(500)).toString('base64');
    assert.deepEqual(await foundIn({ text: picture }, heardFrom({ result: { content: [{ type: 'image', data: picture }] } })), []);
  });
});
