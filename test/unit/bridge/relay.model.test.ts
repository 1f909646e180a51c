import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/base/json.ts';
import { HostRoots } from '../../../src/bridge/hostRoots.ts';
import { Offline } from '../../../src/bridge/offline.ts';
import { Relay } from '../../../src/bridge/relay.ts';
import { commandsOf, runBesideModel } from '../../support/besideModel.ts';
import { FakeConnector, FakeLink, until } from './support/fakeWindow.ts';

interface Real {
  readonly relay: Relay;
  readonly connector: FakeConnector;
  readonly toHost: JsonObject[];
  link: FakeLink;
}

/** What is simple enough to be right: which calls wait here, which are at the window, and which have their answer from whom. */
interface Model {
  /** Whether there is one: nobody knows yet, no, it may be back in a moment, yes. */
  window: 'looking' | 'none' | 'reloading' | 'there';
  held: number[];
  readonly atWindow: Set<number>;
  readonly answered: Map<number, 'window' | 'bridge'>;
  calls: number;
}

type Command = fc.AsyncCommand<Model, Real>;

const long = 60_000;
const timings = {
  ...{ connect: long, listHold: long, reloadHold: long, twinHold: long, rootsHold: long, callPatience: long },
  ...{ silenceCheck: long, maxSilence: 0, minRetryDelay: 1, maxRetryDelay: 1, restingRetryDelay: 1, shutdownGrace: long },
};

const command = commandsOf<Model, Real>(async ({ answered }, { toHost }) => {
  await turn();
  const answers = toHost.filter(({ id, method }) => id !== undefined && method === undefined);
  const seen = answers.map(({ id, result }): [unknown, string] => [id, isFromWindow(result) ? 'window' : 'bridge']);
  assert.deepEqual(seen.sort(), [...answered].sort(), 'each call has one answer, from where the model has it');
});

const isFromWindow = (result: unknown): boolean => (result as JsonObject | undefined)?.['from'] === 'window';

function answerAll(model: Model, ids: Iterable<number>, by: 'window' | 'bridge'): void {
  for (const id of ids) {
    model.answered.set(id, by);
  }
}

const ask = command('ask', (model, { relay }) => {
  const id = (model.calls += 1);
  relay.fromHost(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'x' } }));
  if (model.window === 'there') {
    model.atWindow.add(id);
  } else if (model.window === 'none') {
    model.answered.set(id, 'bridge');
  } else {
    model.held.push(id);
  }
});

const find = command(
  'find',
  async (model, real) => {
    real.link = new FakeLink();
    await real.connector.find(real.link);
    await turn();
    assert.deepEqual(
      real.link.sent.map(({ id }) => id),
      model.held,
      'what waited is handed over in its order, and nothing else',
    );
    model.held.forEach((id) => model.atWindow.add(id));
    [model.held, model.window] = [[], 'there'];
  },
  ({ window }) => window !== 'there',
);

const findNone = command(
  'findNone',
  async (model, { connector }) => {
    await connector.findNone(`None ${model.calls}.\n`);
    if (model.window !== 'reloading') {
      answerAll(model, model.held, 'bridge');
      [model.held, model.window] = [[], 'none'];
    }
  },
  ({ window }) => window !== 'there',
);

const lose = command(
  'lose',
  async (model, { link, connector }) => {
    const before = connector.losses;
    link.drop();
    await until(() => connector.losses > before);
    answerAll(model, model.atWindow, 'bridge');
    model.atWindow.clear();
    model.window = 'reloading';
  },
  ({ window }) => window === 'there',
);

const answer = (nth: number): Command =>
  command(
    `answer(${nth})`,
    (model, { link }) => {
      const id = [...model.atWindow][nth % model.atWindow.size] ?? 0;
      link.say({ jsonrpc: '2.0', id, result: { from: 'window' } });
      model.atWindow.delete(id);
      model.answered.set(id, 'window');
    },
    ({ atWindow }) => atWindow.size > 0,
  );

const cancel = (nth: number): Command =>
  command(
    `cancel(${nth})`,
    (model, { relay }) => {
      const requestId = model.held[nth % model.held.length] ?? 0;
      relay.fromHost(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }));
      model.held = model.held.filter((id) => id !== requestId);
    },
    ({ held }) => held.length > 0,
  );

const nth = fc.nat({ max: 9 });
const steps = [...[ask, ask, find, findNone, lose].map((each) => fc.constant(each)), nth.map(answer), nth.map(cancel)];

describe('A relay, whatever comes and goes in whatever order,', function () {
  this.timeout(60_000);

  it('gives every call one answer, as a simple model of it does', () =>
    runBesideModel<Model, Real>(steps, () => {
      const connector = new FakeConnector();
      const toHost: JsonObject[] = [];
      const hear = (text: string): boolean => toHost.push(JSON.parse(text) as JsonObject) > 0;
      const relay = new Relay({
        offline: new Offline({ entries: [], revisions: {} }),
        connector,
        roots: new HostRoots({ toHost: hear, isWanted: true, holdMs: long }),
        toHost: hear,
        readHost: () => undefined,
        complain: () => undefined,
        timings,
      });
      const real: Real = { relay, connector, toHost, link: new FakeLink() };
      const running = relay.run();
      return {
        model: { window: 'looking', held: [], atWindow: new Set(), answered: new Map(), calls: 0 },
        real,
        end: async () => {
          relay.stop();
          real.link.drop();
          connector.answerNow({ kind: 'unavailable', reason: '' });
          await running;
        },
      };
    }));
});
