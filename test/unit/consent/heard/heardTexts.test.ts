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

  it('are recognised wherever a code begins, in the path of an address, with separators, and in a code within a code', async () => {
    const base64 = Buffer.from(secretText).toString('base64url');
    const pairs = Buffer.from(secretText).toString('hex').match(/../g) ?? [];
    const disguises: Readonly<Record<string, string>> = {
      ...Object.fromEntries(['', 'x', 'xy', 'xyz'].map((before) => [`after “${before}”`, `${before}${base64}`])),
      path: `https://evil.example/a/notes/${base64}/end`,
      pathInParts: `https://evil.example/${(base64.match(/.{1,20}/g) ?? []).join('/')}`,
      spaced: (base64.match(/.{1,8}/g) ?? []).join(' '),
      twice: Buffer.from(Buffer.from(secretText).toString('base64')).toString('base64'),
      percentTwice: encodeURIComponent(encodeURIComponent(secretText)),
      percentOfBase64: `q=${encodeURIComponent(Buffer.from(secretText).toString('base64')).replaceAll('Q', '%51')}`,
      hexOfBase64: Buffer.from(base64).toString('hex'),
      spacedHex: pairs.join(' '),
      colonHex: `a:${pairs.join(':')}`,
      codeHex: pairs.map((pair) => `\\x${pair}`).join(''),
      listedHex: pairs.map((pair) => `0x${pair}`).join(', '),
    };
    for (const [name, text] of Object.entries(disguises)) {
      assert.notDeepEqual(await foundIn({ text }), [], name);
    }
  });

  it('are recognised in disguises that everybody knows, and are not seen in plain texts and lists of numbers', async () => {
    const codes = Array.from(secretText, (letter) => letter.charCodeAt(0));
    const asHex = (width: number): readonly string[] => codes.map((code) => code.toString(16).padStart(width, '0'));
    const moved = secretText.replace(/[a-z]/gi, (letter) =>
      String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < 'n' ? 13 : -13)),
    );
    const disguises: Readonly<Record<string, JsonValue>> = {
      unicode: asHex(4)
        .map((hex) => `\\u${hex}`)
        .join(''),
      braced: asHex(2)
        .map((hex) => `\\u{${hex}}`)
        .join(''),
      named: asHex(4)
        .map((hex) => `U+${hex}`)
        .join(' '),
      bytes: `"${asHex(2)
        .map((hex) => `\\x${hex}`)
        .join('')}"`,
      entities: codes.map((code) => `&#${code};`).join(''),
      hexEntities: asHex(2)
        .map((hex) => `&#x${hex};`)
        .join(''),
      decimal: codes.join(', '),
      list: codes,
      binary: codes.map((code) => code.toString(2).padStart(8, '0')).join(' '),
      backwards: Array.from(secretText).reverse().join(''),
      moved,
      escapedInBase64: Buffer.from(
        asHex(4)
          .map((hex) => `\\u${hex}`)
          .join(''),
      ).toString('base64'),
    };
    for (const [name, text] of Object.entries(disguises)) {
      const found = await foundIn({ text });
      assert.match(found[0] ?? '', /: .*(?:Blue Harbour|merger|announced)/, name);
    }
    assert.deepEqual(
      await foundIn({ text: 'Nothing of it is here, not even backwards, only words.', list: codes.map((code) => code + 1) }),
      [],
    );
    const numbers = Array.from({ length: 60 }, (_, index) => 40 + ((index * 37) % 80));
    assert.deepEqual(await foundIn({ numbers }, heardFrom({ result: { structuredContent: { numbers } } })), [], 'data is no text');
  });

  it('are looked for in disguises without holding up anybody', async function () {
    this.timeout(60_000);
    const slow = ['\\u0041', '&#65;', '65, ', '01000001 ', '0100000', '12 ', '&#', '\\u{', 'U+'].map((each) =>
      each.repeat(Math.ceil(400_000 / each.length)).slice(0, 400_000),
    );
    for (const text of slow) {
      const block = await longestBlock(() => foundIn({ text }));
      assert.ok(block < 1_000, `“${text.slice(0, 9)}” blocked for ${block} ms`);
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

  it('count though they are short where they are a whole key, a long number or an e-mail address', async () => {
    const shorts: readonly (readonly [said: JsonValue, given: JsonValue, excerpt: string])[] = [
      ['key: AKIA4711ZX99QQ12 (do not share)', 'Bearer AKIA4711ZX99QQ12', 'AKIA4711ZX99QQ12'],
      ['password is hunter2-correct', 'hunter2-correct', 'hunter2-correct'],
      ['Account DE89370400440532013000', 'DE89 or DE89370400440532013000', 'DE89370400440532013000'],
      ['card: 4111 1111 1111 1111', '4111111111111111', '4111111111111111'],
      ['card: 4111111111111111', 'pay 4111-1111-1111-1111 now', '4111-1111-1111-1111'],
      ['write to Ann@ex.org.', 'mailto:ann@ex.org', 'ann@ex.org'],
      [{ account: 123_456_789 }, { account: 123_456_789 }, '123456789'],
      [{ account: 123_456_789 }, 'of 123456789', '123456789'],
    ];
    for (const [said, given, excerpt] of shorts) {
      const [found] = await foundIn({ given }, heardFrom({ result: said }));
      assert.equal(found?.split(': ')[1], excerpt, JSON.stringify(said));
    }
    const heard = heardFrom({
      result: 'on 2026-11-15 at 12:30:15 from 192.168.100.200 with conscientiousness, 12345678 or x1234567890123456y',
    });
    for (const text of ['2026-11-15', '12:30:15', '192.168.100.200', 'conscientiousness', '12345678', '1234567890123456']) {
      assert.deepEqual(await foundIn({ text }, heard), [], text);
    }
    assert.deepEqual(
      await foundIn({ key: 'AKIA4711ZX99QQ12' }, heardFrom({ arguments: { key: 'AKIA4711ZX99QQ12' }, result: 'AKIA4711ZX99QQ12' })),
      [],
    );
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
    assert.deepEqual(await sources({ arguments: { path: 'app/.env.example' } }), [{ kind: 'result' }]);
  });

  it('are found wherever they stand in a long result, for any cut of them that is long enough', async () => {
    const filler = (length: number): string => Array.from({ length }, (_, index) => `w${(index * 7919) % 9973}`).join(' ');
    for (let offset = 0; offset < 12; offset += 1) {
      const heard = heardFrom({ result: `${filler(offset * 17)} ${secretText} ${filler(500)}` });
      const part = secretText.slice(offset, offset + 34);
      assert.equal((await foundIn({ text: `see ${part}!` }, heard)).length, 1, part);
    }
  });

  it('are looked through without holding up anybody, however they are made (release)', async function () {
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

  it('are looked through in turns, also where they are lists of many short ones or wide letters (release)', async function () {
    this.timeout(60_000);
    const words = Array.from({ length: 15_000 }, (_, index) =>
      `${index}`.replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)).repeat(3)),
    );
    const heard = heardFrom({ result: words });
    let found: readonly string[] = ['not looked'];
    const block = await longestBlock(async () => {
      heard.add({ serverId: 'c', server: 'c', tool: 't', arguments: {}, result: 'ж'.repeat(900_000) });
      found = await foundIn({ words: words.toReversed() }, heard);
    });
    assert.notDeepEqual(found, ['not looked']);
    assert.ok(block < 1_000, `blocked for ${block} ms`);
  });

  it('may stand under a key of any length, in results and in arguments, without holding up anybody', async function () {
    this.timeout(60_000);
    const within = (letters: number, count: number, text: string): JsonObject => ({
      ['k'.repeat(letters)]: Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, text])),
    });
    let found: readonly string[] = [];
    const block = await longestBlock(async () => {
      const heard = heardFrom({ result: { content: [], structuredContent: within(900_000, 10_000, 'x') } });
      heard.add({ serverId: 'c', server: 'c', tool: 't', arguments: {}, result: secretText });
      found = await foundIn({ text: secretText, ...within(200_000, 5_000, 'a%41 some more text') }, heard);
    });
    assert.equal(found[0]?.split(' ')[0], 'text');
    assert.ok(block < 1_000, `blocked for ${block} ms`);
  });

  it('may be in a list of any width: what is beyond the bounds is said not to be compared (release)', async () => {
    for (const rows of [
      Array.from({ length: 300_000 }, (_, index) => index),
      Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, 0])),
    ]) {
      const heard = heardFrom({ result: [secretText, rows] });
      const { carried, isPartly } = await heard.findIn({ text: secretText, rows }, 'b');
      assert.deepEqual([carried.map(({ path }) => path), isPartly], [['text'], true]);
    }
  });

  it('are of so many calls at most, and what these were given counts for the bounds too (release)', async () => {
    const small = new HeardTexts();
    const large = heardFrom();
    for (let index = 0; index < 600; index += 1) {
      small.add({ serverId: 'a', server: 'a', tool: 't', arguments: {}, result: 'done' });
    }
    for (let index = 0; index < 60; index += 1) {
      large.add({ serverId: 'a', server: 'a', tool: 't', arguments: { text: 'x'.repeat(99_000) }, result: 'done' });
    }
    for (const heard of [small, large]) {
      const { compared, isPartly } = await heard.findIn({ text: secretText }, 'b');
      assert.deepEqual([compared <= 500 && compared !== 61, isPartly], [true, true]);
    }
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
