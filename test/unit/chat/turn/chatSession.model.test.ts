import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { ModelEvent } from '../../../../src/chat/models/modelProvider.ts';
import type { ChatSession } from '../../../../src/chat/turn/chatSession.ts';
import { commandsOf, runBesideModel } from '../../../support/besideModel.ts';
import { echoCall, FakeProvider, FakeTools, makeChat } from '../support.ts';

/** A model that says what a test wants it to say, when it wants it. */
class ToldProvider extends FakeProvider {
  #give: ((event: ModelEvent | Error) => void) | undefined;

  constructor() {
    super([]);
  }

  override stream(): AsyncIterable<ModelEvent> {
    return this.#told();
  }

  say(event: ModelEvent | Error): void {
    const give = this.#give ?? assert.fail('nobody listens');
    this.#give = undefined;
    give(event);
  }

  async *#told(): AsyncGenerator<ModelEvent> {
    for (;;) {
      const event = await new Promise<ModelEvent | Error>((resolve) => (this.#give = resolve));
      if (event instanceof Error) {
        throw event;
      }
      yield event;
      if (event.kind === 'stop') {
        return;
      }
    }
  }
}

interface Real {
  readonly session: ChatSession;
  readonly provider: ToldProvider;
  readonly sent: Promise<unknown>[];
}

/** What is simple enough to be right: how each answer stands, and which messages wait. */
interface Model {
  answers: ('streaming' | 'done' | 'failed' | 'stopped')[];
  queue: string[];
  messages: number;
}

const isRunning = ({ answers }: Model): boolean => answers.at(-1) === 'streaming';

const command = commandsOf<Model, Real>(async (model, { session }) => {
  for (let turns = 0; turns < 5; turns += 1) {
    await turn(); // an answer ends, and the next begins, a few turns later
  }
  const { conversation, isRunning: runs } = session;
  const answers = conversation.items.flatMap((item) => (item.kind === 'assistant' ? [conversation.assistant(item.id).state] : []));
  const queue = conversation.queue.map(({ text }) => text);
  assert.deepEqual({ answers, queue, runs }, { answers: model.answers, queue: model.queue, runs: isRunning(model) });
});

const send = command('send', (model, { session, sent }) => {
  const text = `message ${(model.messages += 1)}`;
  const sending = session.send(text);
  if (isRunning(model) && model.queue.length >= 20) {
    sent.push(assert.rejects(sending, { code: 'chat.queueFull' }));
  } else {
    sent.push(sending);
    if (isRunning(model)) {
      model.queue.push(text);
    } else {
      model.answers.push('streaming');
    }
  }
});

function end(model: Model, how: 'done' | 'failed' | 'stopped'): void {
  model.answers[model.answers.length - 1] = how;
  if (how === 'done' && model.queue.shift() !== undefined) {
    model.answers.push('streaming');
  }
}

const speak = command('speak', (_, { provider }) => provider.say({ kind: 'text', text: 'word ' }), isRunning);

const finish = command(
  'finish',
  (model, { provider }) => {
    provider.say({ kind: 'stop', reason: 'end' });
    end(model, 'done');
  },
  isRunning,
);

const fail = command(
  'fail',
  (model, { provider }) => {
    provider.say(new Error('it broke'));
    end(model, 'failed');
  },
  isRunning,
);

const stop = command(
  'stop',
  async (model, { session }) => {
    await session.stop();
    end(model, 'stopped');
  },
  isRunning,
);

const retry = command(
  'retry',
  (model, { session, sent }) => {
    const trying = session.retry();
    if (isRunning(model)) {
      sent.push(assert.rejects(trying, { code: 'chat.busy' }));
    } else {
      sent.push(trying);
      model.answers[model.answers.length - 1] = 'streaming';
    }
  },
  ({ answers }) => answers.length > 0,
);

const takeBack = command(
  'takeBack',
  (model, { session }) => {
    session.unqueue([session.conversation.queue[0]?.id ?? '']);
    model.queue.shift();
  },
  ({ queue }) => queue.length > 0,
);

const leave = command('leave', async (model, { session }) => {
  await session.newConversation();
  [model.answers, model.queue] = [[], []];
});

const steps = [send, send, speak, finish, fail, stop, retry, takeBack, leave].map((each) => fc.constant(each));

describe('The turns of a chat, whatever happens in whatever order,', function () {
  this.timeout(60_000);

  it('run one at a time and end as a simple model of them does', () =>
    runBesideModel<Model, Real>(steps, () => {
      const provider = new ToldProvider();
      const { session, dispose } = makeChat(provider, new FakeTools([], echoCall));
      const real: Real = { session, provider, sent: [] };
      return {
        model: { answers: [], queue: [], messages: 0 },
        real,
        end: async () => {
          await session.stop();
          await Promise.all(real.sent);
          dispose();
        },
      };
    }));
});
