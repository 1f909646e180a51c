import assert from 'node:assert/strict';
import type { Disposable } from '../../src/base/lifecycle.ts';
import type { Role } from '../../src/contract/questions/rolesAndClaims.ts';
import { hashToken } from '../../src/server/access/credentials.ts';
import { FakeApproval } from '../unit/server/support/fakePorts.ts';
import { jsonHeaders, type Answer } from '../unit/server/support/httpPeer.ts';
import { rpc } from '../unit/server/support/legacyRules.ts';
import { modernHeaders } from '../unit/server/support/modernLinks.ts';
import { modern } from '../unit/server/support/modernRules.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

const runnerCall = { name: 'get_terminal_output', arguments: {} };
const beyond = /which this token was not made for/;

describe('Tokens of one OAuth client that were made for different roles', () => {
  let running: RunningServer;
  const start = async (approval: FakeApproval): Promise<void> => {
    running = await runServer({ approval });
    admit('wide', ['reader', 'editor', 'runner']);
    admit('narrow', ['reader']);
  };
  beforeEach(() => start(new FakeApproval({ kind: 'allowed', role: 'runner' })));
  afterEach(async () => {
    withdrawAll();
    await running.close();
  });

  const admitted: Disposable[] = [];
  const admit = (token: string, roles: readonly Role[]): void => {
    admitted.push(running.server.credentials.admit(hashToken(token), { id: 'oauth-1', kind: 'oauth', roles }));
  };
  const withdrawAll = (): void => admitted.splice(0).forEach((credential) => credential.dispose());
  const callStateless = (token: string): Promise<Answer> => {
    const message = modern(1, 'tools/call', runnerCall);
    return running.peer(token).post(message, modernHeaders(message));
  };

  for (const order of [
    ['wide', 'narrow'],
    ['narrow', 'wide'],
  ]) {
    it(`neither widen nor narrow each other's stateless requests, ${order.join(' then ')}`, async () => {
      for (const token of order) {
        const { text } = await callStateless(token);
        assert.equal(beyond.test(text), token === 'narrow', `${token}: ${text}`);
      }
    });
  }

  it('keep their own role while another one is under way', async () => {
    withdrawAll();
    await running.close();
    await start(new FakeApproval());
    const calls = ['narrow', 'wide', 'narrow'].map(callStateless);
    await running.approval.untilAsked(1);
    running.approval.answer({ kind: 'allowed', role: 'runner' });
    const answers = await Promise.all(calls);
    assert.deepEqual(
      answers.map(({ text }) => beyond.test(text)),
      [true, false, true],
    );
  });

  it('go on with a session only if they were made for as much as the one that opened it', async () => {
    const [wide, narrow] = [running.peer('wide'), running.peer('narrow')];
    await wide.initialize();
    narrow.sessionId = wide.sessionId;
    assert.equal((await narrow.request('tools/call', runnerCall)).status, 404);
    narrow.sessionId = undefined;
    await narrow.initialize();
    wide.sessionId = narrow.sessionId;
    const { status, text } = await wide.request('tools/call', runnerCall);
    assert.deepEqual([status, beyond.test(text)], [200, true]);
  });

  it('the same holds for HTTP+SSE', async () => {
    const stream = await running.peer('wide').stream('/sse');
    const place = (await stream.next())?.data ?? '';
    const post = (token: string): Promise<Answer> => running.peer(token).send('POST', place, jsonHeaders, JSON.stringify(rpc(1, 'ping')));
    assert.deepEqual([(await post('narrow')).status, (await post('wide')).status], [404, 202]);
  });
});
