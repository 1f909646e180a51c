import assert from 'node:assert/strict';
import { textWanted } from '../../src/editor/acting/text/wantedEdits.ts';
import { Emitter } from '../../src/base/events.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { EditsProposal, FileReview, WantedText } from '../../src/server/seen/ports/actingPort.ts';
import { policySource } from '../unit/server/support/fakePolicy.ts';
import { FakeApproval } from '../unit/server/support/fakePorts.ts';
import type { HttpPeer } from '../unit/server/support/httpPeer.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

const harmless = { path: 'src/a.ts', newText: 'new\n' };

describe('A proposal of several files', () => {
  let running: RunningServer;
  let peer: HttpPeer;
  let rules: readonly object[];
  const changed = new Emitter<void>();

  beforeEach(async () => {
    rules = [];
    running = await runServer({
      policy: policySource(() => rules, changed.event),
      approval: new FakeApproval({ kind: 'allowed', role: 'editor' }),
    });
    peer = running.peer();
    await peer.initialize();
  });
  afterEach(() => running.close());

  async function propose(...files: readonly JsonObject[]): Promise<string> {
    return (await peer.callTool('propose_edits', { files: [...files] })).text;
  }

  const ways = (path: string): readonly JsonObject[] => [
    { path, newText: '' },
    { path, edits: [{ oldText: 'KEY', newText: 'x' }] },
    { path, delete: true },
    { path, moveTo: 'src/b.ts' },
    { path: 'src/b.ts', moveTo: path },
    { path: 'src/b.ts', moveTo: `/demo/${path}`, newText: '' },
  ];

  it('does nothing to a withheld file, and says of it what it says of a missing one, whichever part names it', async () => {
    for (const way of ways('.env')) {
      const answer = await propose(harmless, way);
      assert.match(answer, /There is no \\"(?:\/demo\/)?\.env\\" in this workspace/, JSON.stringify(way));
    }
    assert.deepEqual(running.editor.acting.done, []);
  });

  for (const [what, rule, path] of [
    ['a path', { path: 'plans/**' }, 'plans/next.md'],
    ['a path and this tool', { path: 'plans/**', tool: 'propose_edits' }, 'plans/next.md'],
    ['sensitive files', { sensitivity: 'sensitive' }, '.env'],
  ] as const) {
    it(`is refused by a rule of the policy about ${what}, whichever part names it`, async () => {
      rules = [{ effect: 'deny', ...rule }];
      changed.fire();
      for (const way of ways(path)) {
        assert.match(await propose(harmless, way), /denied by the person's policy/);
      }
      assert.deepEqual(running.editor.acting.done, []);
    });
  }

  it('looks for nothing in what is withheld of a text: a guess is answered like any other', async () => {
    await propose(harmless);
    const [, { guard }] = running.editor.acting.done[0] as [string, EditsProposal];
    const before = 'name = app\npassword = hunter2\n';
    const guess = async (oldText: string): Promise<string> => {
      try {
        return await textWanted(before, { edits: [{ oldText, newText: 'x' }] }, '\n', await guard?.hideWithheld(before));
      } catch (error) {
        return (error as Error).message;
      }
    };
    assert.equal(await guess('hunter2'), await guess('1234567'));
    assert.equal(await guess('password = h'), await guess('password = q'));
    assert.equal(await guess('name = app'), 'x\npassword = hunter2\n');
  });

  it('tells nobody that a guess of withheld text changes nothing, be it one character of it, all of it, or the whole file', async () => {
    await propose(harmless);
    const [, { guard }] = running.editor.acting.done[0] as [string, EditsProposal];
    const before = 'name = app\npassword = hunter2\nport = 1\n';
    const answerTo = async (wanted: WantedText): Promise<string> => {
      try {
        const after = await textWanted(before, wanted, '\n', await guard?.hideWithheld(before));
        return after === before ? 'changes nothing' : 'is reviewed';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const range = (start: number, end: number, newText: string): WantedText => ({
      edits: [{ range: { start: { line: 2, character: start }, end: { line: 2, character: end } }, newText }],
    });
    const whole = (secret: string): WantedText => ({ newText: before.replace('hunter2', secret) });
    const guesses: [right: WantedText, wrong: WantedText, refusal: RegExp][] = [
      [range(12, 13, 'h'), range(12, 13, 'q'), /withheld from you/],
      [range(12, 19, 'hunter2'), range(12, 19, '1234567'), /withheld from you/],
      [range(1, 14, 'password = hu'), range(1, 14, 'password = xx'), /withheld from you/],
      [range(13, 13, ''), range(13, 13, 'x'), /withheld from you/],
      [whole('hunter2'), whole('1234567'), /withheld from you.* is not told/],
    ];
    for (const [right, wrong, refusal] of guesses) {
      assert.equal(await answerTo(right), await answerTo(wrong), JSON.stringify(right));
      assert.match(await answerTo(right), refusal);
    }
    assert.equal(await answerTo(range(1, 9, 'passphrase')), 'is reviewed', 'beside it');
    assert.equal(await answerTo({ newText: 'name = app\npassword = env.PASSWORD\n' }), 'is reviewed', 'another text');
    assert.equal(await answerTo(range(1, 9, 'password')), 'changes nothing', 'what the client sees');
  });

  it('returns no text of a place that is withheld by the time the person has answered', async () => {
    const moved: FileReview = { path: '.env', outcome: 'accepted', text: 'KEY=1', version: 'v1', isSaved: true };
    running.editor.acting.review = () => Promise.resolve({ files: [moved] });
    const answer = await propose(harmless);
    assert.doesNotMatch(answer, /KEY=1|v1/);
  });
});
