import assert from 'node:assert/strict';
import * as z from 'zod';
import { argumentReader } from '../../src/server/offer/tools/toolSchemas.ts';
import { longestBlock, ownTime } from '../support/longestBlock.ts';
import { FakeApproval } from '../unit/server/support/fakePorts.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';
import { WsPeer } from '../unit/server/support/wsPeer.ts';

/** A call of 90 KB: 45,000 edits that are none. */
const badFile = { path: 'a', edits: Array.from({ length: 5_000 }, () => 1) };
const badFiles = { files: Array.from({ length: 9 }, () => badFile) };
const costly = (id: number): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'propose_edits', arguments: badFiles } });

describe('A call that is costly to prepare', () => {
  let running: RunningServer;
  afterEach(() => running.close());

  it('is not prepared for a client that nobody has let in, so that others are answered meanwhile', async () => {
    running = await runServer({ approval: new FakeApproval() });
    const attacker = await WsPeer.open(running.port, running.token);
    await attacker.initialize();
    const neighbour = running.peer(running.otherToken());
    await neighbour.initialize();
    await neighbour.request('ping'); // what is loaded and compiled with the first one is not meant here
    const calls = Array.from({ length: 8 }, (_, index) => costly(index + 100));
    let longest = 0;
    calls.forEach((call) => attacker.socket.send(call));
    for (let ping = 0; ping < 4; ping += 1) {
      const taken = await ownTime(() => neighbour.request('ping'));
      longest = Math.max(longest, taken);
    }
    // Prepared calls kept others waiting for a second.
    assert.ok(longest < 400, `a ping took ${Math.round(longest)} ms`);
    await attacker.close();
  });

  it('is read until its first mistake', async () => {
    running = await runServer();
    const peer = running.peer();
    await peer.initialize();
    await peer.callTool('list_open_editors');
    const small = { files: [{ path: 'a', edits: Array.from({ length: 1_000 }, () => ({})) }] };
    let answer = '';
    const blocked = await longestBlock(async () => {
      answer = JSON.stringify((await peer.callTool('propose_edits', small)).json);
    });
    assert.match(answer, /files\.0\.edits\.0/);
    assert.ok(blocked < 400, `others waited for ${Math.round(blocked)} ms`);
    let asked = 0;
    const edit = z.custom(() => (asked += 1) < 0);
    const read = argumentReader(z.strictObject({ files: z.array(z.strictObject({ path: z.string(), edits: z.array(edit) })) }));
    assert.equal(read(small).kind, 'badArguments');
    assert.equal(asked, 1, 'the others are not even looked at');
  });

  it('has a limit of edits that holds for all its files together, and says so', async () => {
    running = await runServer();
    const peer = running.peer();
    await peer.initialize();
    const edits = Array.from({ length: 900 }, () => ({ oldText: 'a', newText: 'b' }));
    const answer = await peer.callTool('propose_edits', { files: ['a', 'b', 'c'].map((path) => ({ path, edits })) });
    assert.match(JSON.stringify(answer.json), /more than 2,000 items in one call/);
    const one = await peer.callTool('propose_edit', { path: 'a', edits: [...edits, ...edits] });
    assert.match(JSON.stringify(one.json), /edits/);
    assert.deepEqual(running.editor.acting.done, []);
  });
});
