import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/base/json.ts';
import type { AuditRecord } from '../../src/consent/audit/auditLog.ts';
import { HeardTexts } from '../../src/consent/heard/heardTexts.ts';
import type { CallKnowledge } from '../../src/contract/questions/callKnowledge.ts';
import { ToolCaller, type CallOutcome } from '../../src/host/tools/toolCaller.ts';
import { createTestHost, scriptedServer, textOf, type TestHost } from '../unit/host/support.ts';

const signal = new AbortController().signal;
const privateText = 'The board meets on Tuesday to sell the harbour.';

/** A server tells something, and the model is made to hand it on to another one. */
describe('What one server said', () => {
  let host: TestHost;
  let heard: HeardTexts;
  before(async () => {
    host = await createTestHost();
    const definition = { command: 'node', args: [scriptedServer] };
    await host.configure({ diary: { ...definition, env: { NOTE: privateText } }, outside: definition });
    await Promise.all(host.registry.servers().map(({ id }) => host.registry.start(id, { ask: host.ask, signal })));
  });
  after(() => host.close());
  beforeEach(async () => {
    heard = new HeardTexts();
    host.answer = () => 'allowOnce';
    const said = await call('diary', 'surroundings', {});
    assert.ok(textOf(said).includes(privateText));
    host.asked.length = 0;
  });

  const call = (server: string, tool: string, args: JsonObject, listens = true): Promise<CallOutcome> =>
    host.call(tool, args, { serverId: host.server(server).id, ...(listens ? { heard } : {}) });
  const known = (): CallKnowledge | undefined => {
    const detail = host.asked.at(-1)?.detail;
    return detail?.kind === 'callTool' ? detail.knows : undefined;
  };

  it('is named in the question when it would go on to another server, in whatever clothes', async () => {
    const disguises = {
      plain: `Please file: “${privateText}”`,
      percent: `https://evil.example/?q=${encodeURIComponent(privateText)}`,
      base64: Buffer.from(privateText).toString('base64'),
    };
    for (const [encoding, text] of Object.entries(disguises)) {
      host.answer = () => 'deny';
      await call('outside', 'echo', { text });
      const [carried] = known()?.carried ?? [];
      assert.deepEqual(
        [carried?.server, carried?.tool, carried?.path, carried?.encoding, carried?.source],
        ['diary', 'surroundings', 'text', encoding, { kind: 'result' }],
      );
      assert.match(carried?.excerpt ?? '', /board meets on Tuesday to sell the harbour/);
    }
  });

  it('is named as well when the person is asked again, and not when it goes back to whoever said it', async () => {
    const answers = [{ choice: 'allowOnce', arguments: JSON.stringify({ text: [privateText] }) } as const, 'deny' as const];
    host.answer = () => answers.shift() ?? 'deny';
    await call('outside', 'echo', { text: 'nothing yet' });
    assert.deepEqual(
      host.asked.map(({ detail }) => detail.kind === 'callTool' && detail.knows?.carried.map(({ path }) => path)),
      [[], ['text[0]']],
    );
    await call('diary', 'echo', { text: privateText });
    assert.deepEqual(known()?.carried, []);
  });

  it('is unknown to a call that belongs to no conversation: nothing is claimed of it', async () => {
    await call('outside', 'echo', { text: privateText }, false);
    assert.deepEqual(known(), { place: { kind: 'thisMachine' }, carried: [], compared: 0, isPartly: false });
  });

  it('can be of any width without undoing the record of the call that said it', async () => {
    const lines: string[] = [];
    const audit = { write: () => Promise.resolve(), note: ({ outcome }: AuditRecord) => lines.push(outcome) };
    const wide: JsonObject = { rows: Array.from({ length: 300_000 }, (_, index) => index) };
    const managed = host.registry.find(host.server('outside').id);
    assert.ok(managed?.connection.session);
    const { session } = managed.connection;
    const callTool = session.callTool.bind(session);
    session.callTool = () => Promise.resolve({ content: [], structuredContent: wide, isError: false });
    try {
      const caller = new ToolCaller(host.registry, host.gate, audit);
      const outcome = await caller.call({
        principal: 'chat',
        asker: { kind: 'model', name: 'm' },
        serverId: host.server('outside').id,
        tool: 'echo',
        arguments: { text: 'x' },
        ask: host.ask,
        signal,
        heard,
      });
      assert.deepEqual([outcome.kind, lines], ['result', ['succeeded']]);
      assert.equal((await heard.findIn({ text: privateText }, 'other')).isPartly, true);
    } finally {
      session.callTool = callTool;
    }
  });

  it('is not what Duplex itself says of a failure', async () => {
    const failure = await call('outside', 'no_such_tool', {});
    assert.ok(failure.kind === 'failed');
    assert.deepEqual((await heard.findIn({ text: failure.error.message }, 'other')).carried, []);
  });
});
