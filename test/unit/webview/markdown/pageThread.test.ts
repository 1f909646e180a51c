import assert from 'node:assert/strict';
import { PageThread, type RunningThread, type ThreadAnswer, type ThreadRequest } from '../../../../src/webview/markdown/pageThread.ts';
import { answerIn, TextThread } from '../../../../src/webview/markdown/textThread.ts';

/** Threads that answer as the real one does, or never, for the text that is given. */
function threads(slow: string): { readonly start: () => Promise<RunningThread>; readonly started: FakeThread[] } {
  const started: FakeThread[] = [];
  const start = async (): Promise<RunningThread> => {
    const thread = new FakeThread(slow);
    started.push(thread);
    return thread;
  };
  return { start, started };
}

class FakeThread implements RunningThread {
  onmessage: RunningThread['onmessage'] = null;
  onerror: RunningThread['onerror'] = null;
  isTerminated = false;
  readonly #slow: string;
  readonly #scope: Parameters<typeof answerIn>[0];

  constructor(slow: string) {
    this.#slow = slow;
    this.#scope = { onmessage: null, postMessage: (message) => queueMicrotask(() => this.#say(message)) };
    queueMicrotask(() => answerIn(this.#scope));
  }

  postMessage(request: ThreadRequest): void {
    if (!('text' in request) || request.text !== this.#slow) {
      this.#scope.onmessage?.({ data: request });
    }
  }

  terminate(): void {
    this.isTerminated = true;
  }

  #say(message: ThreadAnswer | 'ready'): void {
    this.onmessage?.({ data: message } as MessageEvent<ThreadAnswer | 'ready'>);
  }
}

const markdown = (text: string): Extract<ThreadRequest, { kind: 'markdown' }> => ({ kind: 'markdown', text, reader: undefined, known: 0 });

describe('The thread of a page', () => {
  it('is ended when a text takes too long, and a new one answers what comes after', async function () {
    this.timeout(10_000);
    const { start, started } = threads('slow');
    const thread = new PageThread(start);
    const [slow, next] = await Promise.all([thread.ask(markdown('slow')), thread.ask(markdown('# a'))]);
    assert.equal(slow, undefined);
    assert.deepEqual(
      next?.slices.map(({ value }) => value.kind),
      ['heading'],
    );
    assert.deepEqual(
      started.map(({ isTerminated }) => isTerminated),
      [true, false],
    );
    assert.ok(thread.isIdle);
  });

  it('that cannot be started leaves texts plain, and is not tried again and again', async () => {
    let times = 0;
    const thread = new PageThread(() => {
      times += 1;
      return Promise.reject(new Error('forbidden'));
    });
    for (let count = 0; count < 20; count += 1) {
      assert.equal(await thread.ask(markdown('a')), undefined);
    }
    assert.equal(times, 5);
  });

  it('reads Markdown before it highlights what was asked for earlier', async () => {
    const thread = new PageThread(threads('').start);
    const order: string[] = [];
    const ask = (name: string, request: ThreadRequest): Promise<void> => thread.ask(request).then(() => void order.push(name));
    await Promise.all([
      ask('first', markdown('a')),
      ask('code', { kind: 'code', code: 'let a', language: 'ts' }),
      ask('text', markdown('b')),
    ]);
    assert.deepEqual(order, ['first', 'text', 'code']);
  });

  it('sends of a text that grows only what is new, and all of it to a page that knows nothing', () => {
    const thread = new TextThread();
    const read = (text: string, known: number): ThreadAnswer => thread.answer({ kind: 'markdown', text, reader: 1, known });
    const counted = (answer: ThreadAnswer): unknown => (answer.kind === 'markdown' ? [answer.from, answer.slices.length] : undefined);
    assert.deepEqual(counted(read('a\n\nb\n\nc', 0)), [0, 3]);
    assert.deepEqual(counted(read('a\n\nb\n\nc and d\n\ne', 3)), [2, 2]);
    assert.deepEqual(counted(read('a\n\nb\n\nc and d\n\ne', 4)), [4, 0]);
    assert.deepEqual(counted(read('a\n\nb\n\nc and d\n\ne', 0)), [0, 4]);
  });
});
