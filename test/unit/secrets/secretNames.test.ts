import assert from 'node:assert/strict';
import { asksForSecret, isPlainSecret, isSecretField } from '../../../src/secrets/secretNames.ts';

describe('The name of a secret', () => {
  it('has a word for it, however the words are put together', () => {
    const names = [
      'GITHUB_TOKEN',
      'OPENAIKEY',
      'apiKey',
      'X-Api-Key',
      'DB_PASS',
      'dbPassword',
      'TOKEN_OF_ADA',
      'pw',
      'PASSWORT',
      'AWS_SECRETS',
    ];
    assert.deepEqual(
      names.filter((name) => !isPlainSecret(name, 'Zx81-hunter')),
      [],
    );
  });

  it('is no name in which such a word is only a part of another, or that says where or which', () => {
    const names = [
      'MONKEY_PATCH',
      'TOKENIZER',
      'tokenizerName',
      'KEYBOARD',
      'SECRETARY',
      'BYPASS',
      'COMPASS',
      'HOTKEY',
      'SSH_KEY_FILE',
      'KEY_ID',
    ];
    assert.deepEqual(
      names.filter((name) => isPlainSecret(name, 'Zx81-hunter')),
      [],
    );
  });

  it('ends with that word where it is the name of a field', () => {
    const plain = [
      'progressToken',
      'nextPageToken',
      'pagetoken',
      'max_tokens',
      'tokenizer',
      'auth_mode',
      'pinColor',
      'key',
      'monkey',
      'bypass',
      'author',
    ];
    assert.deepEqual(plain.filter(isSecretField), []);
    const secret = ['dbPass', 'pw', 'passwort', 'auth', 'cookie', 'pin', 'clientSecret', 'refresh_token', 'ACCESS-KEY', 'apikey'];
    assert.deepEqual(
      secret.filter((name) => !isSecretField(name)),
      [],
    );
  });

  it('is found in the words of a label', () => {
    assert.deepEqual(['Your API key', 'PIN', 'Credit card', 'Access token'].filter(asksForSecret).length, 4);
    assert.deepEqual(['Tokenizer', 'Pass the ball', 'Author', 'Favourite monkey', 'Spin'].filter(asksForSecret), []);
  });
});
