import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/base/json.ts';
import type { ConnectClientQuestion } from '../../src/contract/questions/clientQuestions.ts';
import type { ClientEntry } from '../../src/server/protocol/clientRegistry.ts';
import type { Answer, HttpPeer } from '../unit/server/support/httpPeer.ts';
import { modernHeaders } from '../unit/server/support/modernLinks.ts';
import { modern } from '../unit/server/support/modernRules.ts';
import { Person } from '../unit/server/support/person.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

const secret = 'SHOP_NAME=teahouse';

/** The window's token proves only "a process of this user": what one of them is given, no other has. */
describe('What one program with the window token is given', () => {
  let person: Person;
  let running: RunningServer;
  beforeEach(async () => {
    person = new Person();
    running = await runServer({ person: person.approval, grants: person.permissions.grants });
    running.editor.documents.files.set('.env', { text: secret });
  });
  afterEach(async () => {
    await running.close();
    person.dispose();
  });

  async function session(): Promise<HttpPeer> {
    const peer = running.peer();
    await peer.initialize();
    await letIn(peer.callTool('list_open_editors'));
    return peer;
  }

  async function letIn(calling: Promise<Answer>): Promise<ConnectClientQuestion> {
    const { detail } = await person.untilAsked();
    person.answer('allowSession', 'runner');
    assert.equal(isError(await calling), false);
    assert.ok(detail.kind === 'connectClient');
    return detail;
  }

  function callStateless(name: string, args: JsonObject = {}): Promise<Answer> {
    const message = modern(1, 'tools/call', { name, arguments: args });
    return running.peer().post(message, modernHeaders(message));
  }

  const entryOf = (isMeant: (entry: ClientEntry) => boolean): ClientEntry => {
    const found = running.server.clients.snapshot().find(isMeant);
    assert.ok(found !== undefined);
    return found;
  };

  it('is no role above reader without a session: none is offered, given or taken from the list', async () => {
    const { roles } = await letIn(callStateless('list_open_editors'));
    assert.deepEqual(roles, ['reader']);
    const entry = entryOf(({ isStateless }) => isStateless);
    assert.equal(entry.role, 'reader');
    assert.deepEqual(person.permissions.rolesOf(entry), ['reader']);
    await person.permissions.changeRole(entry, 'runner');
    assert.equal(entryOf(({ isStateless }) => isStateless).role, 'reader');

    const acting = callStateless('get_terminal_output');
    assert.deepEqual((await person.untilAsked()).choices, ['deny', 'allowOnce']);
    person.answer('allowOnce');
    assert.equal(isError(await acting), false);
    const again = callStateless('get_terminal_output', { limit: 2 });
    await person.untilAsked();
    person.answer('deny');
    assert.equal(isError(await again), true);
  });

  it('is no role of another session, whatever the first one may', async () => {
    const first = await session();
    assert.equal(isError(await first.callTool('get_terminal_output')), false);
    const { roles } = await letIn(callStateless('list_open_editors'));
    assert.deepEqual(roles, ['reader']);
    const acting = callStateless('get_terminal_output');
    await person.untilAsked();
    person.answer('deny');
    assert.equal(isError(await acting), true);
  });

  it('is no sight of sensitive files for another session, nor for requests without one', async () => {
    const [first, second] = [await session(), await session()];
    await letIn(callStateless('list_open_editors'));
    const read = { path: '.env' };
    const all = (): Promise<Answer[]> =>
      Promise.all([first.callTool('read_file', read), second.callTool('read_file', read), callStateless('read_file', read)]);
    await person.permissions.changeGrants(
      entryOf(({ sessionId }) => sessionId === first.sessionId),
      { sensitive: true, outside: false },
    );
    assert.deepEqual((await all()).map(showsSecret), [true, false, false]);
    await person.permissions.changeGrants(
      entryOf(({ isStateless }) => isStateless),
      { sensitive: true, outside: true },
    );
    assert.deepEqual((await all()).map(showsSecret), [true, false, false], 'what could be anybody is given nothing');
  });

  it('is no permission to run for another session, and ends with its own', async () => {
    const forgetting = person.permissions.forgetEnded(running.server.clients);
    const [first, second] = [await session(), await session()];
    await confirmed(first, 'allowSession');
    await confirmed(first, undefined);
    await confirmed(second, 'deny');
    await first.send('DELETE', '/mcp', { 'mcp-session-id': first.sessionId });
    assert.deepEqual(
      person.ledger.answers().map(({ action, subject }) => [action, subject.at(-1)]),
      [['connectClient', second.sessionId]],
    );
    forgetting.dispose();
  });

  async function confirmed(peer: HttpPeer, choice: 'allowSession' | 'deny' | undefined): Promise<void> {
    const running = peer.callTool('run_tests', { wait: false });
    if (choice !== undefined) {
      await person.untilAsked();
      person.answer(choice);
    }
    assert.equal(isError(await running), choice === 'deny', (await running).text);
  }
});

function isError({ json }: Answer): boolean {
  return (json.result as { isError?: boolean } | undefined)?.isError === true;
}

function showsSecret({ text }: Answer): boolean {
  return text.includes(secret);
}
