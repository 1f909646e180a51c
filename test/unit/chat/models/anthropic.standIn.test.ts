import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { AnthropicServer } from '../../../fixtures/anthropic/anthropicServer.ts';
import { checkRequest } from '../../../fixtures/anthropic/requestRules.ts';

const base = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] };
const use = { type: 'tool_use', id: 'toolu_1', name: 't', input: {} };
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' };

/** The far end of the other tests: it must be as strict as the real one, or they prove nothing. */
describe('the stand-in for the Anthropic API', function () {
  this.timeout(20_000);

  it('rejects what the real API rejects', () => {
    const user = (content: unknown): object => ({ role: 'user', content });
    const assistant = (content: unknown): object => ({ role: 'assistant', content });
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ ...base, max_tokens: undefined }, /max_tokens/],
      [{ ...base, messages: [] }, /at least one message/],
      [{ ...base, temperature: 1 }, /temperature/],
      [{ ...base, messages: [user('a'), user('b')] }, /alternate/],
      [{ ...base, messages: [user('a'), assistant('b')] }, /prefill/],
      [{ ...base, messages: [user([{ type: 'text', text: ' ' }])] }, /non-whitespace/],
      [{ ...base, messages: [user('a'), assistant([use]), user('b')] }, /without `tool_result`/],
      [{ ...base, messages: [user('a'), assistant('b'), user([result])] }, /unexpected `tool_use_id`/],
      [{ ...base, messages: [user([result])] }, /unexpected `tool_use_id`/],
      [
        { ...base, messages: [user('a'), assistant([{ type: 'thinking', thinking: 'x', signature: 's' }]), user('b')] },
        /cannot be `thinking`/,
      ],
      [{ ...base, tools: [{ name: 'a.b', input_schema: { type: 'object' } }] }, /pattern/],
      [{ ...base, tools: [1, 2].map(() => ({ name: 'a', input_schema: { type: 'object' } })) }, /unique/],
    ];
    for (const [body, message] of wrong) {
      const checked = checkRequest(body);
      assert.ok(!checked.ok && message.test(checked.message), JSON.stringify([body, checked]));
    }
    assert.ok(checkRequest({ ...base, messages: [user('a'), assistant([use]), user([result, { type: 'text', text: 'b' }])] }).ok);
  });

  it('answers errors in the real shape, and whole messages when no stream is asked for', async () => {
    const server = await AnthropicServer.start();
    const post = (headers: Record<string, string>, body: object): Promise<Response> =>
      fetch(`${server.url}/v1/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const good = { 'x-api-key': server.apiKey, 'anthropic-version': '2026-10-21' };
    try {
      const unauthorised = await post({ ...good, 'x-api-key': 'wrong' }, base);
      const { request_id: id, ...error } = (await unauthorised.json()) as { request_id: string };
      assert.match(id, /^req_/);
      assert.deepEqual(
        [unauthorised.status, error],
        [401, { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } }],
      );
      assert.equal((await post({ 'x-api-key': server.apiKey }, base)).status, 400);
      const whole = (await (await post(good, base)).json()) as { content: unknown; stop_reason: string };
      assert.deepEqual([whole.content, whole.stop_reason], [[{ type: 'text', text: 'You said: hi', citations: null }], 'end_turn']);
    } finally {
      await server.close();
    }
  });

  it('runs in a process of its own, is steered from outside and ends with its parent', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'test/fixtures/anthropic/main.ts', 'sk-other'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url, apiKey } = JSON.parse(line.toString()) as { url: string; apiKey: string };
    const control = async (action: string, body: unknown = {}): Promise<unknown> =>
      (await fetch(`${url}/control/${action}`, { method: 'POST', body: JSON.stringify(body) })).json();
    await control('script', [{ kind: 'answer', blocks: [{ kind: 'text', text: 'one two' }] }]);
    await control('hold', { pieces: 1 });
    const answer = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'anthropic-version': '2026-10-21' },
      body: JSON.stringify({ ...base, stream: true }),
    });
    await control('held');
    await control('release');
    const names = [...(await answer.text()).matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
    assert.deepEqual(names, [
      'message_start',
      'content_block_start',
      'ping',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    assert.equal(((await control('requests')) as unknown[]).length, 1);
    child.stdin.end();
    assert.equal((await exited)[0], 0);
  });
});
