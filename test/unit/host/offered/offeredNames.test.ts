import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Ask } from '../../../../src/consent/consentGate.ts';
import { scriptedServer } from '../support.ts';
import type { HttpPeer } from '../../server/support/httpPeer.ts';
import { createGateway, type GatewayBench, resultText } from './gatewayBench.ts';

describe('The name by which a client calls a tool of an offered server', () => {
  let bench: GatewayBench;
  let peer: HttpPeer;
  /** What happens while a question is open. */
  let meanwhile: () => Promise<void>;
  const ask: Ask = async (question, signal) => {
    await meanwhile();
    return bench.host.ask(question, signal);
  };

  /** What was sent to servers. */
  let sent = '';
  const note = (_server: unknown, direction: string, message: unknown): void => {
    sent += direction === 'sent' ? JSON.stringify(message) : '';
  };

  before(async () => {
    bench = await createGateway({ mode: 'manyTools', ask, host: { ports: { traffic: { isOpen: true, note } } } });
    const { host } = bench;
    const command = { command: 'node', args: [scriptedServer] };
    await host.configure({ scripted: { ...command, args: [scriptedServer, 'manyTools'] }, kept: command });
    await host.registry.start(host.server('kept').id, { ask: host.ask, signal: new AbortController().signal });
    peer = await bench.client();
  });
  beforeEach(() => {
    meanwhile = async () => undefined;
    bench.host.answer = ({ detail }) => (detail.kind === 'startServer' ? 'allow' : 'allowOnce');
    bench.host.asked.length = 0;
  });
  after(() => bench.close());

  /** The tools that the person was asked about, as the questions name them. */
  const named = (): readonly string[] =>
    bench.host.asked.map(({ detail }) => (detail.kind === 'callTool' ? `${detail.server} ${detail.tool}` : detail.kind));
  const through = (name: unknown, args: JsonObject = {}): Promise<{ json: JsonObject }> =>
    peer.callTool('call_tool', { name, arguments: args } as JsonObject);
  const isRefused = ({ json }: { json: JsonObject }): boolean =>
    json.error !== undefined || (json.result as JsonObject | undefined)?.isError === true;

  it('is that name exactly: no other case, spelling, server or way around leads to a tool, and nobody is asked', async () => {
    const odd: readonly unknown[] = [
      ...[
        'Scripted__echo',
        'scripted__Echo',
        'SCRIPTED__ECHO',
        'scripted__echo ',
        ' scripted__echo',
        'scripted__echo\n',
        'scripted__echo\0',
      ],
      // A Cyrillic letter, a full-width one, a combining mark, a soft hyphen, a low line that is none.
      ...['scripted__ech\u043E', '\uFF53cripted__echo', 'scripted__echo\u0301', 'scripted__\u00ADecho', 'scripted\uFF3F\uFF3Fecho'],
      ...[
        'echo',
        '__echo',
        'scripted__',
        'scripted_echo',
        'scripted/echo',
        'scripted.echo',
        'scripted__scripted__echo',
        'scripted%5F%5Fecho',
      ],
      // A server that runs and is not offered, the two tools themselves, and tools of the editor.
      ...['kept__echo', 'kept__die', 'call_tool', 'find_tools', 'run_terminal_command', 'duplex__read_file'],
      ...['__proto__', 'constructor', 'toString', '', null, 7, ['scripted__echo'], { name: 'scripted__echo' }],
    ];
    for (const name of odd) {
      assert.ok(isRefused(await through(name, { text: 'odd' })), `call_tool ${JSON.stringify(name)}`);
      // The editor's own tools have names of their own, and so have the two.
      if (typeof name !== 'string' || !/^(?:call_tool|find_tools|run_terminal_command)$/.test(name)) {
        const answer = await peer.request('tools/call', { name, arguments: { text: 'odd' } } as JsonObject);
        assert.ok(isRefused(answer), `tools/call ${JSON.stringify(name)}`);
      }
    }
    assert.ok(isRefused(await through('call_tool', { name: 'scripted__echo', arguments: { text: 'odd' } })));
    assert.deepEqual(named(), []);
    assert.equal(resultText(await through('scripted__echo', { text: 'even' })), 'even');
    assert.deepEqual(named(), ['scripted echo']);
  });

  it('means one tool, which the question names, also where names become the same when they are shortened or made plain', async () => {
    const long = 'a_name_that_is_longer_than_any_client_would_take_'.repeat(2);
    const added = [`${long}one`, `${long}two`, 'é cho', 'è cho', 'e.cho', 'e:cho', 'Echo', 'ECHO'];
    const { host } = bench;
    for (const add of added) {
      await host.call('change_echo', { add }, { serverId: host.server('scripted').id });
    }
    await host.until(() => bench.offered.tools().some(({ tool }) => tool === 'ECHO'), 'the added tools');
    const listed = bench.offered.tools().filter(({ tool }) => added.includes(tool));
    const names = bench.offered.tools().map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(
      listed.map(({ name }) => /^[a-zA-Z0-9_-]{1,64}$/.test(name)),
      added.map(() => true),
    );
    for (const [index, { name, tool }] of listed.entries()) {
      host.asked.length = 0;
      assert.equal(resultText(await (index % 2 === 0 ? through(name) : peer.callTool(name))), 'new');
      assert.deepEqual(named(), [`scripted ${tool}`]);
    }
  });

  it('leads nowhere once the server is not offered any more, while the question is open or while the tool works', async () => {
    const { offers, host } = bench;
    const { id } = host.server('scripted');
    try {
      meanwhile = () => offers.stopOffering(id);
      assert.ok(isRefused(await through('scripted__change_echo', { to: 'Withdrawn.' })));
      assert.deepEqual(named(), ['scripted change_echo']);
      assert.ok(!host.server('scripted').tools.some(({ description }) => description === 'Withdrawn.'));

      await offers.offer(id);
      meanwhile = async () => undefined;
      const working = peer.callTool('scripted__slow', { steps: 40, stepMs: 20 });
      await host.until(() => sent.includes('stepMs'), 'the call to reach the server');
      await offers.stopOffering(id);
      assert.ok(isRefused(await working), 'what a server says after that is not passed on');
    } finally {
      await offers.offer(id);
    }
  });

  it('does not lead to a tool that took the place of the one in the question', async () => {
    const { host } = bench;
    meanwhile = async () => {
      meanwhile = async () => undefined;
      const { tools, id } = host.server('scripted');
      await host.call('change_echo', { to: 'Gives the text to somebody else.' }, { serverId: id });
      await host.until(() => host.server('scripted').tools !== tools, 'the changed tools');
    };
    const answer = await through('scripted__echo', { text: 'for echo alone' });
    assert.ok(isRefused(answer) && !resultText(answer).includes('for echo alone'));
  });
});
