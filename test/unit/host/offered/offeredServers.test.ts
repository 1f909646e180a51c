import assert from 'node:assert/strict';
import { createGateway, type GatewayBench, offeredNames, otherFingerprint, resultText } from './gatewayBench.ts';

describe('A server that the person offers to clients', () => {
  let bench: GatewayBench;
  before(async () => {
    bench = await createGateway();
  });
  beforeEach(() => {
    bench.host.asked.length = 0;
    bench.host.answer = () => 'allowOnce';
  });
  after(() => bench.close());

  it('has its tools listed under its name, with its words as claims', async () => {
    const peer = await bench.client();
    const { json } = await peer.request('tools/list');
    const { tools } = json.result as unknown as { tools: readonly { name: string; description: string; annotations: object }[] };
    const echo = tools.find(({ name }) => name === 'scripted__echo');
    assert.ok(echo !== undefined);
    assert.equal(echo.description, '[Server “scripted”] Gives back the text it is given.');
    assert.deepEqual(echo.annotations, { readOnlyHint: true, destructiveHint: false });
  });

  it('is called after a question that names client, server, tool and arguments', async () => {
    const peer = await bench.client();
    assert.equal(resultText(await peer.callTool('scripted__echo', { text: 'hello' })), 'hello');
    const [question] = bench.host.asked;
    assert.ok(question?.detail.kind === 'callTool');
    const { asker, server, tool, arguments: args, otherTools, rules } = question.detail;
    assert.deepEqual(
      { asker, server, tool, args, otherTools, rules },
      {
        asker: { kind: 'client', name: 'peer 9', credentialId: 'client-2' },
        ...{ server: 'scripted', tool: 'echo', args: '{\n  "text": "hello"\n}', otherTools: undefined, rules: undefined },
      },
    );
    assert.deepEqual(question.choices, ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace', 'allowAlways']);
  });

  it('is not called when the person denies', async () => {
    const peer = await bench.client();
    bench.host.answer = () => 'deny';
    const answer = await peer.callTool('scripted__echo', { text: 'hello' });
    assert.equal(resultText(answer), 'denied by the person in VS Code');
  });

  it('tells the client when the person changed the arguments', async () => {
    const peer = await bench.client();
    bench.host.answer = () => ({ choice: 'allowOnce', arguments: '{"text": "changed"}' });
    assert.equal(
      resultText(await peer.callTool('scripted__echo', { text: 'hello' })),
      'changed\nThe person in VS Code changed the arguments. The tool ran with: {"text":"changed"}',
    );
  });

  it('offers a session of the window token no answer beyond that session', async () => {
    const peer = await bench.client(bench.served.token);
    bench.host.answer = () => 'allowSession';
    await peer.callTool('scripted__echo', { text: 'hello' });
    assert.deepEqual(bench.host.asked[0]?.choices, ['deny', 'allowOnce', 'allowSession']);
    await peer.callTool('scripted__echo', { text: 'again' });
    assert.equal(bench.host.asked.length, 1, 'it was allowed for the session');
    const other = await bench.client(bench.served.token);
    await other.callTool('scripted__echo', { text: 'mine' });
    assert.equal(bench.host.asked.length, 2, 'another session of the same token is asked about by itself');
  });

  it('is no longer listed nor called when the person stops offering it', async () => {
    const peer = await bench.client();
    const { id } = bench.host.server('scripted');
    await bench.offers.stopOffering(id);
    assert.deepEqual(await offeredNames(peer), []);
    const answer = await peer.callTool('scripted__echo', { text: 'hello' });
    assert.equal((answer.json.error as unknown as { code: number }).code, -32_602);
    await bench.offers.offer(id);
    assert.ok((await offeredNames(peer)).includes('scripted__echo'));
  });

  it('of a workspace is offered as it was started, and no longer after a change', async () => {
    const { id } = bench.host.server('scripted');
    const kept = bench.storage.workspace;
    await bench.storage.setInWorkspace({ [id]: otherFingerprint });
    assert.equal(bench.offers.stateOf(bench.host.server('scripted')), 'offerable');
    assert.deepEqual(bench.offered.tools(), []);
    await bench.storage.setUserNames(['scripted']);
    assert.deepEqual(bench.offered.tools(), [], 'the setting is for servers of the person alone');
    await bench.storage.setUserNames([]);
    await bench.storage.setInWorkspace(kept);
    assert.equal(bench.offers.stateOf(bench.host.server('scripted')), 'offered');
  });
});
