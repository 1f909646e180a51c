import assert from 'node:assert/strict';
import { KnownSecrets } from '../../../src/definitions/knownSecrets.ts';
import { readDefinitions } from '../../../src/definitions/readDefinitions.ts';
import { trafficMask } from '../../../src/traffic/trafficMask.ts';

describe('What is masked in the traffic', () => {
  const servers = {
    one: { command: 'one', env: { ONE_TOKEN: 'alpha-beta-gamma', PLAIN: 'visible' }, args: ['--api-key', 'delta-epsilon'] },
  };
  const { definitions } = readDefinitions([{ scope: 'user', value: servers, location: 'user settings' }]);
  const [definition] = definitions;
  const secrets = new KnownSecrets((id) => (id === definition?.id ? definition : undefined), {});
  const mask = trafficMask((id) => secrets.of(id));

  it('is what the server was given as a secret, in its own messages', () => {
    const own = mask({ side: 'server', id: definition?.id ?? '', name: 'one' });
    assert.equal(own('I have alpha-beta-gamma, delta-epsilon and visible'), 'I have [redacted], [redacted] and visible');
  });

  it('is what looks like a secret, whoever says it', () => {
    const token = `ghp_${'a1'.repeat(18)}`;
    assert.equal(mask({ side: 'client', id: 'c', name: '' })(`use ${token} now`), 'use [redacted] now');
  });

  it('is what was a secret when the message passed, and what has become one since', () => {
    let known = ['the first one'];
    const own = trafficMask(() => known)({ side: 'server', id: 's', name: '' });
    known = ['the second one'];
    assert.equal(own('the first one, the second one'), '[redacted], [redacted]');
  });
});
