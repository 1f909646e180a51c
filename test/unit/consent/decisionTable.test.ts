import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { DisposableStore } from '../../../src/base/lifecycle.ts';
import { silentLog } from '../../../src/base/log.ts';
import { ConsentGate } from '../../../src/consent/consentGate.ts';
import type { Action, ConsentRequest, Principal } from '../../../src/consent/consentModel.ts';
import { Ledger } from '../../../src/consent/ledger.ts';
import type { Choice, QuestionDetail } from '../../../src/contract/questions/questions.ts';
import { SharedFile } from '../../../src/platform/files/sharedFile.ts';

/** Of every action: who wants it, and of what. One that is missing here does not compile. */
const actions: Readonly<Record<Action, { readonly principal: Principal; readonly subject: readonly [string, string, ...string[]] }>> = {
  startServer: { principal: 'host', subject: ['server', 'demo'] },
  callTool: { principal: 'chat', subject: ['server', 'demo', 'tool', 'echo'] },
  connectClient: { principal: 'client:cursor', subject: ['client', 'cursor'] },
  seeRoots: { principal: 'host', subject: ['server', 'demo', 'roots'] },
  useModel: { principal: 'host', subject: ['server', 'demo', 'model'] },
  askPerson: { principal: 'host', subject: ['server', 'demo', 'person'] },
  clientAct: { principal: 'client:cursor', subject: ['editor', 'run_tests'] },
  ownAct: { principal: 'palette', subject: ['editor', 'run_tests'] },
  sendContent: { principal: 'chat', subject: ['server', 'demo', 'resource', 'demo://one'] },
  seeEditor: { principal: 'chat', subject: ['server', 'editor', 'see'] },
  seeWithheld: { principal: 'client:cursor', subject: ['editor', 'withheld'] },
  showApp: { principal: 'app:demo', subject: ['server', 'demo', 'app', 'page', 'ui://demo/one'] },
  appAct: { principal: 'app:demo', subject: ['server', 'demo', 'app', 'openLink'] },
  useIssuer: { principal: 'host', subject: ['server', 'demo', 'issuer', 'https://issuer.example'] },
};

/** Where the same request comes again after the answer. */
const places = ['same window', 'same window, after a restart', 'another window', 'another workspace'] as const;
type Place = (typeof places)[number];
type Seen = 'allow' | 'deny' | 'ask: new' | 'ask: changed';

/** What is decided without a question: the first for exactly what was shown, the second for what has changed since. */
const table: Readonly<
  Record<Exclude<Choice, 'allow' | 'allowWhen' | 'raiseRole' | 'saveAndRun' | 'cancel' | 'newConversation'>, readonly Seen[][]>
> = {
  //              same window                restarted                  another window             another workspace
  allowOnce: [asksNew(), asksNew(), asksNew(), asksNew()],
  allowSession: [['allow', 'ask: changed'], asksNew(), asksNew(), asksNew()],
  allowWorkspace: [['allow', 'ask: changed'], ['allow', 'ask: changed'], ['allow', 'ask: changed'], asksNew()],
  allowAlways: [
    ['allow', 'ask: changed'],
    ['allow', 'ask: changed'],
    ['allow', 'ask: changed'],
    ['allow', 'ask: changed'],
  ],
  deny: [asksNew(), asksNew(), asksNew(), asksNew()],
  denyAlways: [
    ['deny', 'deny'],
    ['deny', 'deny'],
    ['deny', 'deny'],
    ['deny', 'deny'],
  ],
};

function asksNew(): Seen[] {
  return ['ask: new', 'ask: new'];
}

const detail: QuestionDetail = { kind: 'roots', server: 'demo', folders: [] };
const choices = Object.keys(table) as (keyof typeof table)[];

describe('What was answered is decided by the table: ', () => {
  let folder: string;
  let lifetime: DisposableStore;
  let count = 0;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'duplex-decisions-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  beforeEach(() => {
    lifetime = new DisposableStore();
    count += 1;
  });
  afterEach(() => lifetime.dispose());

  /** A window of its own, on the file that all of them share. */
  async function openWindow(workspace = 'here'): Promise<{ gate: ConsentGate; ledger: Ledger }> {
    const storage = lifetime.add(await SharedFile.open(path.join(folder, `${count}`, 'permissions.json'), silentLog));
    const ledger = lifetime.add(new Ledger({ storage, workspace, now: () => new Date(), log: silentLog }));
    await ledger.load();
    return { gate: lifetime.add(new ConsentGate(ledger)), ledger };
  }

  async function answer(gate: ConsentGate, request: ConsentRequest, choice: Choice): Promise<string> {
    const signal = new AbortController().signal;
    const decision = await gate.check({ request, detail, choices, ask: async ({ askId }) => ({ askId, choice }), signal });
    return decision.kind;
  }

  function requestOf(action: Action, change: Partial<ConsentRequest> = {}): ConsentRequest {
    return { ...actions[action], action, fingerprint: 'as shown', material: { text: 'as shown' }, ...change };
  }

  const changed = { fingerprint: 'another', material: { text: 'another' } };

  function seenBy(gate: ConsentGate, request: ConsentRequest): Seen {
    const verdict = gate.verdict(request);
    return verdict.kind === 'ask' ? `ask: ${verdict.why}` : verdict.kind;
  }

  for (const action of Object.keys(actions) as Action[]) {
    for (const choice of choices) {
      it(`${action}, "${choice}"`, async () => {
        const first = await openWindow();
        const other = await openWindow();
        const decided = await answer(first.gate, requestOf(action), choice);
        assert.equal(decided, choice.startsWith('allow') ? 'allowed' : 'denied');
        // What the file's watcher would bring about in its own time.
        await other.ledger.load();
        const windows: Record<Place, ConsentGate> = {
          'same window': first.gate,
          'same window, after a restart': (await openWindow()).gate,
          'another window': other.gate,
          'another workspace': (await openWindow('elsewhere')).gate,
        };
        const seen = places.map((place) => [seenBy(windows[place], requestOf(action)), seenBy(windows[place], requestOf(action, changed))]);
        assert.deepEqual(
          Object.fromEntries(places.map((place, index) => [place, seen[index]])),
          Object.fromEntries(places.map((place, index) => [place, table[choice][index]])),
        );
      });
    }

    it(`${action}, of another principal, another subject or as another action: nothing is shared`, async () => {
      const { gate } = await openWindow();
      await answer(gate, requestOf(action), 'allowAlways');
      const [kind] = actions[action].subject;
      const otherAction: Action = action === 'callTool' ? 'useModel' : 'callTool';
      const others: ConsentRequest[] = [
        requestOf(action, { principal: 'client:somebody' }),
        requestOf(action, { subject: [kind, 'somebody else'] }),
        requestOf(action, { subject: [...actions[action].subject, 'below'] }),
        requestOf(action, { action: otherAction }),
      ];
      assert.deepEqual(
        others.map((other) => seenBy(gate, other)),
        others.map(() => 'ask: new'),
      );
    });

    it(`${action}, refused for a wider subject: every allow of a narrower one yields, and holds again when that is revoked`, async () => {
      const { gate, ledger } = await openWindow();
      for (const scope of ['session', 'workspace', 'always'] as const) {
        await ledger.remember(requestOf(action), 'allow', scope);
      }
      await ledger.remember(requestOf(action, { subject: actions[action].subject.slice(0, 1) }), 'deny', 'always');
      assert.equal(seenBy(gate, requestOf(action)), 'deny');
      const refusal = ledger.answers().find((each) => each.answer === 'deny');
      await ledger.revoke(refusal?.id ?? '');
      assert.equal(seenBy(gate, requestOf(action)), 'allow');
    });
  }
});
