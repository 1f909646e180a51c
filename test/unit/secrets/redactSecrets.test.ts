import assert from 'node:assert/strict';
import { hiddenCharacter } from '../../../src/secrets/secretMarks.ts';
import { secretLine } from '../../../src/secrets/findSecrets.ts';
import { hideSecrets, redactPart, redactSecrets } from '../../../src/secrets/redactSecrets.ts';
import { ownTime } from '../../support/longestBlock.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';
/** Made here, so that no scanner takes them for real ones. */
const githubToken = `ghp_${letters}0123456789`;
const jwt = `eyJ${letters}.eyJ${letters}.${letters}`;
const key = ['-----BEGIN RSA PRIVATE KEY-----', letters.repeat(2), `${letters}==`, '-----END RSA PRIVATE KEY-----'];

const redacted: readonly (readonly [string, string])[] = [
  [`clone with ${githubToken}.`, 'clone with [redacted].'],
  [`github_pat_${letters}_1`, '[redacted]'],
  [`//registry.example/:_authToken=npm_${letters}0123456789`, '//registry.example/:_authToken=[redacted]'],
  ['AKIAABCDEFGHIJKLMNOP', '[redacted]'],
  [`aws_secret_access_key = ${letters}/0123456789abc`, 'aws_secret_access_key = [redacted]'],
  [`sk-ant-api03-${letters}`, '[redacted]'],
  [`OPENAI_API_KEY=sk-proj-${letters}`, 'OPENAI_API_KEY=[redacted]'],
  [`sk-${letters}012345`, '[redacted]'],
  [`xoxb-1234567890-${letters}`, '[redacted]'],
  [`cookie: session=${jwt}; path=/`, 'cookie: session=[redacted]; path=/'],
  [`Authorization: Bearer ${letters}0123`, 'Authorization: Bearer [redacted]'],
  ['"authorization": "Basic dXNlcjpwYXNzd29yZDE="', '"authorization": "Basic [redacted]"'],
  ['password=hunter2', 'password=[redacted]'],
  ['DB_PASSWORD=correcthorse\nNEXT=1', 'DB_PASSWORD=[redacted]\nNEXT=1'],
  ['password: hunter2', 'password: [redacted]'],
  ["const clientSecret = 'a1b2c3d4e5';", "const clientSecret = '[redacted]';"],
  ['{"token": "a1b2c3d4e5"}', '{"token": "[redacted]"}'],
  ['Server=db;Password=Sup3rS3cret!;Timeout=5', 'Server=db;Password=[redacted];Timeout=5'],
  ['deploy --token a1b2c3d4e5f6g7h8 --now', 'deploy --token [redacted] --now'],
  ['https://api.example/?access_token=a1b2c3d4e5&x=1', 'https://api.example/?access_token=[redacted]&x=1'],
  [JSON.stringify({ password: 'hunter"andTheRest2' }), '{"password":"[redacted]"}'],
  [JSON.stringify({ password: 'a"b"c2' }), '{"password":"[redacted]"}'],
  ["password: 'hun''ter2andMore'", "password: '[redacted]'"],
  ["password='C:\\hunter2\\'", "password='[redacted]'"],
  ["{'password': b'hunter2hunter', 'token': u'a1b2c3d4e5'}", "{'password': b'[redacted]', 'token': u'[redacted]'}"],
  ['PASSWORD = f"""hunter2hunter"""', 'PASSWORD = f"""[redacted]"""'],
  ['<server><password>hunter2hunter</password></server>', '<server><password>[redacted]</password></server>'],
  ['postgres://user:p4ss@db.example/app', 'postgres://user:[redacted]@db.example/app'],
  [key.join('\n'), [key[0], '[redacted]', '[redacted]', key[3]].join('\n')],
  [key.slice(0, 3).join('\r\n'), [key[0], '[redacted]', '[redacted]'].join('\r\n')],
  [['ok', ...key.slice(1)].join('\n'), ['[redacted]', '[redacted]', '[redacted]', key[3]].join('\n')],
  [['$ cat key.pem', ...key.slice(1)].join('\n'), ['$ cat key.pem', '[redacted]', '[redacted]', key[3]].join('\n')],
  [
    key
      .slice(0, 3)
      .map((line) => `-${line}`)
      .join('\n'),
    [`-${key[0]}`, '[redacted]', '[redacted]'].join('\n'),
  ],
  [
    [key[0], 'Proc-Type: 4,ENCRYPTED', '', ...key.slice(1, 3)].join('\n'),
    [key[0], '[redacted] [redacted]', '', '[redacted]', '[redacted]'].join('\n'),
  ],
  [
    key
      .slice(1)
      .map((line) => `12 ${line}`)
      .join('\n'),
    ['[redacted] [redacted]', '[redacted] [redacted]', `[redacted] ${key[3]}`].join('\n'),
  ],
  [JSON.stringify(key.join('\n')), JSON.stringify([key[0], '[redacted]', '[redacted]', key[3]].join('\n'))],
];

const kept: readonly string[] = [
  'token: string;',
  'token: Uint8Array',
  'const token = this.#token;',
  'login(user=user, password=password)',
  'password = await askPassword(1);',
  'password: "Enter your password"',
  '<input type="password" name="password">',
  'max_tokens=4096',
  'cancellationToken: token1',
  'apiKey: config.apiKey2',
  'secret: process.env.SECRET1',
  "token: '${TOKEN}'",
  'password=<your password>',
  'the token expired2024now',
  'http://localhost:3000/@vite/client',
  'git@github.com:owner/name.git',
  '.sk-loading-spinner-container-large { }',
  'basic authentication-is-required-here',
  "if (text.includes('-----BEGIN PRIVATE KEY-----')) { return readTheWholeKeyFromThatFileAndStopThere(text); }",
  'sha512-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789==',
  'eyJust a word. eyJust another.',
  '<label for="password">Password</label><Token>identifier</Token>',
  "password: '' + 'of somebody'",
];

describe('Secrets inside text', () => {
  for (const [text, shown] of redacted) {
    it(`become [redacted]: ${shown.slice(0, 60).replaceAll(/\s/g, ' ')}`, () => {
      assert.equal(redactSecrets(text), shown);
      assert.equal(redactSecrets(shown), shown, 'once is enough');
    });
  }

  it('stand in a text with a line by which engines that look through many files know it', () => {
    const pattern = new RegExp(secretLine, 'iu');
    const unknown = redacted.filter(([text]) => !text.split(/\r?\n/).some((line) => pattern.test(line)));
    assert.deepEqual(unknown, []);
    const plain = kept.filter((text) => pattern.test(text));
    assert.ok(plain.length < kept.length / 2, `few others: ${plain.join(' ')}`);
  });

  it('leave code as it is', () => {
    assert.deepEqual(
      kept.filter((text) => redactSecrets(text) !== text),
      [],
    );
  });

  it('never change the number of lines', () => {
    const text = [...redacted.map(([secret]) => secret), ...kept].join('\n');
    assert.equal(redactSecrets(text).split('\n').length, text.split('\n').length);
  });

  it('are looked for in a run of any length (release)', () => {
    for (const run of ['eyJ'.repeat(8_000_000), `ghp_${'a'.repeat(24_000_000)}`, `bearer ${'A1'.repeat(12_000_000)}`]) {
      assert.doesNotThrow(() => redactSecrets(run), run.slice(0, 10));
    }
  });

  it('are found in time that grows with the text and not faster (release)', async () => {
    const seeds = [
      'eyJ',
      'token',
      'token ',
      'api_key=',
      'password="',
      'ghp_',
      '://a:',
      'bearer ',
      'eyJaaaaaaaa.',
      '-----BEGIN PRIVATE KEY-----',
      '-----END',
      '-----BEGIN PRIVATE KEY-----\nabcd\n',
      'password>aaaaaaa',
      "token='\\'",
      'token="""',
    ];
    for (const seed of seeds) {
      const text = seed.repeat(Math.ceil(1_000_000 / seed.length));
      const elapsed = await ownTime(() => redactSecrets(text));
      assert.ok(elapsed < 5_000, `${seed}: ${elapsed} ms`);
    }
  });

  it('stand in a value whose own name says nothing', () => {
    assert.equal(redactSecrets('token: password=correcthorse'), 'token: password=[redacted]');
  });
});

describe('Secrets in a part of a text', () => {
  const filler = 'const a = 1;\n'.repeat(40_000);
  const whole = `${filler}${key.join('\n')}\n${filler}password=hunter2 end\n${filler}`;

  const shownOf = (from: number, to: number): Promise<string> => redactPart(whole, { from, to });

  it('are the same as in the whole', async () => {
    assert.equal(await shownOf(0, whole.length), redactSecrets(whole));
  });

  it('are known when they begin before the part or end after it', async () => {
    const second = whole.indexOf(key[2] ?? '');
    assert.equal(await shownOf(second, second + 10), '[redacted]');
    assert.equal(await shownOf(second + 5, second + letters.length + 3), '[redacted]\n');
    const value = whole.indexOf('hunter2');
    assert.equal(await shownOf(value + 2, value + 11), '[redacted] end');
    assert.equal(await shownOf(value - 4, value + 3), 'ord=[redacted]');
  });

  it('are one each, wherever the work is divided', async () => {
    const secret = `"${githubToken}"\n`.repeat(20_000);
    assert.equal(await redactPart(secret, { from: 0, to: secret.length }), '"[redacted]"\n'.repeat(20_000));
  });

  it('are known in the middle of an export of many keys, wherever it is read and however long it is', async () => {
    const line = `${letters}${letters.toUpperCase()}0123456789`;
    const lines = Array.from({ length: 2_000 }, (_, index) => `${line}${index}`);
    const block = (mark: string): string => `-----${mark} PGP PRIVATE KEY BLOCK-----`;
    const texts = [
      ['// the keys', block('BEGIN'), '', ...lines, '=abcd', block('END'), 'const a = 1;'].join('\n'),
      JSON.stringify({ keys: [block('BEGIN'), '', ...lines, block('END')].join('\n'), a: 1 }),
    ];
    for (const text of texts) {
      const shown = await redactPart(text, { from: 0, to: text.length });
      assert.deepEqual([shown.includes(line), shown.includes('[redacted]')], [false, true]);
      assert.match(shown, /a(?: =|":) ?1/);
      assert.equal((await hideSecrets(text)).includes(line), false);
      const middle = text.indexOf(`${line}1000`);
      assert.equal((await redactPart(text, { from: middle, to: middle + 3_000 })).includes(line), false);
    }
    const open = `-----BEGIN PRIVATE KEY-----\n${`${line}\n`.repeat(30_000)}`;
    const elapsed = await ownTime(() => redactPart(open, { from: 0, to: open.length }));
    assert.ok(elapsed < 5_000, `${elapsed} ms`);
  });

  it('are looked for around the part alone, and the event loop turns between', async () => {
    const hostile = 'password='.repeat(2_000_000);
    const elapsed = await ownTime(() => redactPart(hostile, { from: 9_000_000, to: 9_000_100 }));
    assert.ok(elapsed < 2_000, 'a range costs what it is, not what the file is');
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    await redactPart(hostile, { from: 0, to: 4_000_000 });
    clearInterval(timer);
    assert.ok(turns >= 10, `${turns} turns`);
  });
});

describe('Secrets that a client must not find', () => {
  it('are hidden character by character, so that every place keeps its meaning, however long the text is', async () => {
    const far = 'plain words\n'.repeat(20_000);
    const text = `${far}password=hunter2\n${key.join('\r\n')}\n${far}${githubToken}${far}`;
    const hidden = await hideSecrets(text);
    assert.equal(hidden.length, text.length);
    assert.equal(
      hidden.replaceAll(new RegExp(`${hiddenCharacter}+`, 'g'), '[redacted]'),
      await redactPart(text, { from: 0, to: text.length }),
    );
    assert.deepEqual([hidden.split('\n').length, await hideSecrets('nothing')], [text.split('\n').length, 'nothing']);
  });
});
