import assert from 'node:assert/strict';
import path from 'node:path';
import { Emitter } from '../../../src/base/events.ts';
import { OpenQuestions } from '../../../src/consent/openQuestions.ts';
import { createIssuerConsent } from '../../../src/host/auth/issuerConsent.ts';
import type { CallOutcome } from '../../../src/host/tools/toolCaller.ts';
import { createTestHost, scriptedServer, textOf, type TestHost } from '../host/support.ts';
import { answerOf, chosenModel } from '../host/features/sampling/samplingSupport.ts';
import { AccessBench, clientToken, look, propose, waiter, windowToken } from '../server/support/accessBench.ts';

const featuresServer = path.join(import.meta.dirname, '../../fixtures/servers/featuresServer.mjs');
const withdrawn = 'withdrawn';

const requests = {
  form: { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } } },
  link: { method: 'elicitation/create', params: { mode: 'url', message: 'There', url: 'https://a.example', elicitationId: 'e' } },
  sampling: {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 10 },
  },
  roots: { method: 'roots/list', params: {} },
} as const;

type HostKind = 'startServer' | 'callTool' | 'signIn' | keyof typeof requests;
type HostCause = 'denied' | 'panelClosed' | 'callCancelled' | 'serverStopped' | 'serverRemoved' | 'serverDisabled' | 'windowCloses';

const cancelled = '{"result":{"action":"cancel"}}';
const refusedSampling = '{"error":{"code":-1,"message":"User rejected sampling request"}}';
const noRoots = '{"result":{"roots":[]}}';

/** What whoever asked gets, for each kind of question and each way in which it ends. */
const endings: Readonly<Record<HostKind, Readonly<Partial<Record<HostCause, string>>>>> = {
  startServer: {
    denied: 'stopped: needsConsent',
    panelClosed: 'stopped: needsConsent',
    callCancelled: 'stopped: needsConsent',
    serverStopped: 'stopped: needsConsent',
    serverRemoved: 'stopped: needsConsent',
    serverDisabled: 'stopped: needsConsent',
    windowCloses: 'stopped: needsConsent',
  },
  callTool: {
    denied: 'denied',
    panelClosed: 'denied',
    callCancelled: 'cancelled',
    serverStopped: 'host.notRunning',
    serverRemoved: 'host.notRunning',
    serverDisabled: 'host.notRunning',
    windowCloses: 'cancelled',
  },
  signIn: { denied: 'refused', panelClosed: 'refused', callCancelled: withdrawn, windowCloses: withdrawn },
  form: {
    denied: '{"result":{"action":"decline"}}',
    panelClosed: cancelled,
    callCancelled: 'cancelled',
    serverStopped: 'failed',
    serverRemoved: 'failed',
    serverDisabled: 'failed',
    windowCloses: cancelled,
  },
  link: {
    denied: '{"result":{"action":"decline"}}',
    panelClosed: cancelled,
    callCancelled: 'cancelled',
    serverStopped: 'failed',
    serverRemoved: 'failed',
    serverDisabled: 'failed',
    windowCloses: cancelled,
  },
  sampling: {
    denied: refusedSampling,
    panelClosed: refusedSampling,
    callCancelled: 'cancelled',
    serverStopped: 'failed',
    serverRemoved: 'failed',
    serverDisabled: 'failed',
    windowCloses: '{"error":{"code":-32603,"message":"The request for sampling was cancelled."}}',
  },
  // The call has its answer at once, and no folder is in it; the question is about the next one.
  roots: {
    denied: noRoots,
    panelClosed: noRoots,
    serverStopped: noRoots,
    serverRemoved: noRoots,
    serverDisabled: noRoots,
    windowCloses: noRoots,
  },
};

describe('A question of a server or about one is settled, with nothing run and nothing left open,', () => {
  let host: TestHost;
  let panel: OpenQuestions;
  let cancel: AbortController;
  let completed: number;

  /** Processes take long to start: all questions of a kind have the same host. The last of them closes its window. */
  const createHost = async (): Promise<void> => {
    host = await createTestHost({
      features: {
        ask: (question, signal) => panel.ask(question, signal),
        folders: () => [{ name: 'demo', path: '/projects/demo' }],
        onDidChangeFolders: new Emitter<void>().event,
        samplingModel: {
          chooseModel: () => chosenModel,
          complete: ({ model }) => Promise.resolve(answerOf(model, `${(completed += 1)}`)),
        },
        openExternal: () => Promise.resolve(void (completed += 1)),
      },
    });
  };
  /** Brings back what ended with the question before. */
  const prepare = async (kind: HostKind): Promise<void> => {
    panel = new OpenQuestions();
    cancel = new AbortController();
    completed = 0;
    if (kind === 'roots') {
      // One that has its answer asks no more.
      await host.configure({ waiting });
    }
    await host.configure(servers);
    await host.registry.start(host.server('scripted').id, { ask: host.ask, signal: new AbortController().signal });
    assert.deepEqual([host.server('scripted').state.kind, host.server('waiting').state.kind], ['ready', 'stopped']);
  };

  const asking = { command: 'node', args: [featuresServer] };
  const waiting = { command: 'node', args: [scriptedServer, 'normal'] };
  const servers = { scripted: asking, waiting };

  const open: Readonly<Record<HostKind, () => Promise<string>>> = {
    startServer: async () => {
      const state = await host.registry.start(host.server('waiting').id, { ask: panel.ask, signal: cancel.signal });
      return state.kind === 'stopped' ? `stopped: ${state.reason}` : state.kind;
    },
    callTool: async () => endingOf(await host.call('received', {}, { principal: 'palette', ask: panel.ask, signal: cancel.signal })),
    signIn: async () => {
      const use = { serverId: host.server('scripted').id, label: 'scripted', issuer: 'https://a.example', sentTo: [], secret: undefined };
      const consent = createIssuerConsent(host.gate, panel.ask).allow({ ...use, earlierIssuer: undefined }, cancel.signal);
      return consent.then(
        (isAllowed) => (isAllowed ? 'allowed' : 'refused'),
        () => withdrawn,
      );
    },
    form: () => askedBy('form'),
    link: () => askedBy('link'),
    sampling: () => askedBy('sampling'),
    roots: () => askedBy('roots'),
  };
  const askedBy = async (kind: keyof typeof requests): Promise<string> =>
    endingOf(await host.call('ask', { ...requests[kind] }, { principal: 'palette', signal: cancel.signal }));

  const about = (kind: HostKind): string => (kind === 'startServer' ? 'waiting' : 'scripted');
  const settle: Readonly<Record<HostCause, (kind: HostKind, ended: Promise<string>) => Promise<void> | void>> = {
    denied: () => panel.list().forEach(({ askId }) => panel.answer({ askId, choice: 'deny' })),
    panelClosed: () => panel.dismiss(panel.list().map(({ askId }) => askId)),
    callCancelled: () => cancel.abort(),
    serverStopped: (kind) => host.registry.stop(host.server(about(kind)).id),
    serverRemoved: (kind) => host.configure(about(kind) === 'waiting' ? { scripted: asking } : { waiting }),
    serverDisabled: (kind) => host.configure({ ...servers, [about(kind)]: { ...servers[about(kind) as 'waiting'], disabled: true } }),
    windowCloses: async (_kind, ended) => {
      panel.dispose();
      await ended;
      await host.registry.stopAll();
    },
  };

  for (const [kind, causes] of Object.entries(endings) as [HostKind, Partial<Record<HostCause, string>>][]) {
    describe(kind, () => {
      before(createHost);
      beforeEach(() => prepare(kind));
      afterEach(() => panel.dispose());
      after(() => host.close());

      for (const [cause, ending] of Object.entries(causes) as [HostCause, string][]) {
        it(`when ${cause}: ${ending}`, async () => {
          const ended = open[kind]();
          await host.until(() => panel.list().length === 1, 'the question');
          await settle[cause](kind, ended);
          await host.until(() => panel.list().length === 0, 'the end of the question');
          assert.equal(await ended, ending);
          const remembered = host.ledger.answers().filter(({ answer }) => answer === 'deny');
          assert.deepEqual([panel.list(), completed, remembered], [[], 0, []]);
        });
      }
    });
  }
});

function endingOf(outcome: CallOutcome): string {
  if (outcome.kind === 'failed') {
    return outcome.error.code === 'host.notRunning' ? outcome.error.code : outcome.kind;
  }
  return outcome.kind === 'result' ? textOf(outcome) : outcome.kind;
}

type ClientCause = 'denied' | 'panelClosed' | 'callCancelled' | 'clientGone' | 'windowCloses';

describe('A question about an outside client is settled, with nothing left open,', () => {
  let bench: AccessBench;
  beforeEach(() => {
    bench = new AccessBench();
  });
  afterEach(() => bench.dispose());

  const causes: readonly ClientCause[] = ['denied', 'panelClosed', 'callCancelled', 'clientGone', 'windowCloses'];
  for (const [kind, credential, need] of [
    ['connectClient', windowToken, look],
    ['connectClient', clientToken, look],
    ['clientAct', windowToken, propose],
  ] as const) {
    for (const cause of causes) {
      // Whoever comes back with the same request finds the question still open: it is the client that is asked about.
      const outlives = kind === 'connectClient' && cause === 'callCancelled';
      it(`${kind} of a ${credential.kind} when ${cause}${outlives ? ', except that it waits for the client' : ''}`, async () => {
        const client = bench.session(credential, 's1');
        if (kind === 'clientAct') {
          assert.equal(await bench.answered(client, look, 'allowSession', 'reader'), 'allowed');
        }
        const call = waiter();
        const ended = client.admit(need, call).then(
          (admission) => (admission === 'allowed' ? 'allowed' : 'refused'),
          () => withdrawn,
        );
        const { askId } = await bench.person.untilAsked();
        const { questions } = bench.person;
        const settle: Readonly<Record<ClientCause, () => void>> = {
          denied: () => questions.answer({ askId, choice: 'deny' }),
          panelClosed: () => questions.dismiss([askId]),
          callCancelled: () => call.cancel(),
          clientGone: () => client.dispose(),
          windowCloses: () => questions.dispose(),
        };
        settle[cause]();
        assert.notEqual(await ended, 'allowed');
        assert.equal(questions.list().length, outlives ? 1 : 0);
        assert.deepEqual(
          bench.person.ledger.answers().filter(({ answer }) => answer === 'deny'),
          [],
        );
      });
    }
  }
});
