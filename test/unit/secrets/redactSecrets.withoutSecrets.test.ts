import assert from 'node:assert/strict';
import { readDefinitions } from '../../../src/definitions/readDefinitions.ts';
import { secretValuesOf } from '../../../src/definitions/knownSecrets.ts';
import { withoutSecrets } from '../../../src/secrets/redactSecrets.ts';

describe('A line of a server on a page that is copied to others', () => {
  const shown = (line: string, definition: object = { command: 'node' }, env = {}): string => {
    const [read] = readDefinitions([{ scope: 'user', value: { demo: definition }, location: 'user settings' }]).definitions;
    assert.ok(read);
    return withoutSecrets(line, secretValuesOf(read, env));
  };

  it('hides what looks like a secret', () => {
    assert.equal(shown('cannot connect to postgres://app:s3cret@db/shop'), 'cannot connect to postgres://app:[redacted]@db/shop');
    assert.equal(shown(`rejected ghp_${'a1B2'.repeat(10)}`), 'rejected [redacted]');
    assert.equal(shown('DATABASE_URL is not set'), 'DATABASE_URL is not set');
  });

  it('hides what its definition holds or names as a secret, wherever it stands', () => {
    const definition = {
      command: 'node',
      args: ['--token=tok-1234567890abc', 'server.js'],
      env: { API_KEY: 'correct horse', API_KEY_TWO: '${env:MY_TOKEN}', MODE: 'production', PORT_KEY: 1234567 },
    };
    const line = 'got correct horse, tok-1234567890abc, from-env and production 1234567 of /home/me';
    assert.equal(
      shown(line, definition, { MY_TOKEN: 'from-env', HOME: '/home/me' }),
      'got [redacted], [redacted], [redacted] and production 1234567 of /home/me',
    );
    const remote = { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer abc.def-ghi' } };
    assert.equal(shown('refused abc.def-ghi', remote), 'refused [redacted]');
  });
});
