import assert from 'node:assert/strict';
import { holdSecret } from '../../../src/secrets/findSecrets.ts';

const known = ['correct-horse', 'abc'];

describe('Arguments hold a secret', () => {
  it('by its shape, by its name, or because the server’s definition has it, at any depth', () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    for (const args of [
      { text: `clone with ${token}` },
      { auth: [{ apiToken: 'Zx81' }] },
      { list: ['a', 'b', 'the correct-horse one'] },
      { url: 'https://ada:Geheim123@db.example/x' },
      { passphrase: 'correct horse battery' },
      { credentials: 'abc def' },
      { password: 12_345_678 },
      { auth: { pass: 'hunter22' } },
      { pin: '4711' },
      { card_pin: 4711 },
      { authorization: { value: 'hunter2' } },
      { dbPass: 'hunter2' },
      { pw: 'hunter2' },
      { userPw: 'hunter2' },
      { Passwort: 'geheim' },
      { auth: 'hunter2' },
      { basicAuth: 'ada:hunter2' },
      { sessionCookie: 'abc' },
      { cookie: 'sid=1' },
      { userPin: 4711 },
      { accesstoken: 'Zx81' },
      { 'x-api-key': 'Zx81' },
      { SigningKey: 'Zx81' },
    ]) {
      assert.equal(holdSecret(args, known), true, JSON.stringify(args));
    }
  });

  it('not when they only speak of one', () => {
    for (const args of [
      { maxTokens: '8192' },
      { keyFile: '/home/ada/key' },
      { text: 'abc', nested: { count: 3, none: null } },
      { hasPassword: true, password: '', secret: null },
      {},
    ]) {
      assert.equal(holdSecret(args, known), false, JSON.stringify(args));
    }
  });
});
