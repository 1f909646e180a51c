import assert from 'node:assert/strict';
import { accessMs, IssuedTokens } from '../../../../src/server/oauth/issuedTokens.ts';
import { sleeplessTime } from '../../../../src/server/oauth/oauthProvider.ts';
import { CredentialStore } from '../../../../src/server/access/credentials.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

describe('The time OAuth tokens live', () => {
  it('passes while the machine sleeps and the process does not notice', () => {
    const clock = new FakeClock();
    let wall = 1_000_000;
    const credentials = new CredentialStore();
    const grants = new IssuedTokens({ credentials, clock, now: sleeplessTime(clock, () => wall) });
    const { accessToken, refreshToken } = grants.open('oauth-1', 'peer', ['reader']);
    assert.equal(credentials.verify(accessToken)?.id, 'oauth-1');
    wall += accessMs;
    assert.equal(credentials.verify(accessToken), undefined);
    wall += 30 * 24 * 60 * 60_000;
    assert.throws(() => grants.refresh('oauth-1', refreshToken, undefined), /not valid/);
    grants.dispose();
    credentials.dispose();
  });

  it('passes although somebody sets the clock back', () => {
    const clock = new FakeClock();
    let wall = 1_000_000;
    const now = sleeplessTime(clock, () => wall);
    wall -= 500_000;
    clock.advance(10);
    assert.equal(now(), 1_000_010);
    wall = 2_000_000;
    assert.equal(now(), 2_000_000);
    wall = 0;
    clock.advance(10);
    assert.equal(now(), 2_000_010);
  });
});
