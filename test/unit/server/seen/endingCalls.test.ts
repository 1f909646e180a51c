import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { abortError } from '../../../../src/base/abort.ts';
import { isAppError } from '../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { EndingCalls } from '../../../../src/server/seen/endingCalls.ts';
import type { CheckQuery, EditorPort } from '../../../../src/server/seen/ports/editorPort.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { FakeApproval, FakeEditor } from '../support/fakePorts.ts';
import { runServer } from '../support/runningServer.ts';

const never = new Promise<never>(() => undefined);
const neverAnswered: (act: string, signal: AbortSignal) => Promise<never> = () => never;
const parts = ['documents', 'language', 'workspace', 'terminals', 'acting', 'tests'] as const;

const checkFor = (timeMs: number): CheckQuery => ({ files: ['a.ts'], skip: 0, limit: 10, timeMs });

type Call = (...args: unknown[]) => unknown;

/** An editor in which nothing that takes its time ever ends; `signals` are those that its calls were given. */
function hangingEditor(): { readonly editor: EditorPort; readonly signals: AbortSignal[] } {
  const signals: AbortSignal[] = [];
  const hang = (...args: unknown[]): Promise<never> => {
    signals.push(...args.filter((arg) => arg instanceof AbortSignal));
    return never;
  };
  const hanging = <T extends object>(port: T): T => new Proxy(port, { get: () => hang });
  const fake = new FakeEditor();
  const ports = Object.fromEntries(parts.map((part) => [part, hanging(fake[part])]));
  return { editor: Object.assign(fake, ports, { getDiagnostics: hang, checkFiles: hang }), signals };
}

/** Lets time pass second by second, with what each second brings. */
async function pass(clock: FakeClock, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    clock.advance(1_000);
    await turn();
  }
}

describe('A call of the editor', () => {
  let clock: FakeClock;
  let answers: boolean;
  const workbench = { answers: () => Promise.resolve(answers) };
  beforeEach(() => {
    clock = new FakeClock();
    answers = true;
  });

  const ending = (editor: EditorPort): EditorPort => new EndingCalls({ workbench, clock }).of(editor);

  function outcomeOf(call: Promise<unknown>): { readonly code: () => unknown } {
    let code: unknown = 'under way';
    call.then(
      () => (code = 'done'),
      (error: unknown) => (code = isAppError(error) ? error.code : error),
    );
    return { code: () => code };
  }

  type AnyCall = (editor: EditorPort, signal: AbortSignal) => Promise<unknown>;
  const calls: (readonly [string, AnyCall])[] = [
    ...parts.map((part): readonly [string, AnyCall] => [
      `any of ${part}, one that is added later included`,
      async (editor) => (editor[part] as unknown as Readonly<Record<string, Call>>)['addedLater']?.('a.ts'),
    ]),
    [
      'a question about what would be done',
      (_editor, signal) => new EndingCalls({ workbench, clock }).ofQuestion(neverAnswered)('save', signal),
    ],
    ['a check of files that may take long', (editor, signal) => editor.checkFiles(checkFor(120_000), signal)],
    ['diagnostics', (editor, signal) => editor.getDiagnostics({ path: 'a.ts', waitMs: 0 }, signal)],
    [
      'a review, while the page is gone',
      (editor, signal) => editor.acting.formatDocument({ path: 'a.ts' }, { author: { credentialId: 'c', name: 'n' } }, signal),
    ],
  ];
  for (const [what, call] of calls) {
    it(`ends within 30 seconds with the reason when the window does not answer: ${what}`, async () => {
      answers = false;
      const { editor, signals } = hangingEditor();
      const { code } = outcomeOf(call(ending(editor), new AbortController().signal));
      await pass(clock, 30);
      assert.equal(code(), 'editor.silent');
      assert.equal(clock.pending, 0);
      assert.ok(
        signals.every(({ aborted }) => aborted),
        'and what was begun is withdrawn',
      );
    });
  }

  it('ends within 30 seconds, a read within 10, also when the window answers but never finishes', async () => {
    const editor = ending(hangingEditor().editor);
    const reading = outcomeOf(editor.documents.read('a.ts', new AbortController().signal));
    const opening = outcomeOf(editor.acting.openFile({ path: 'a.ts', preview: true }));
    await pass(clock, 10);
    assert.deepEqual([reading.code(), opening.code()], ['editor.unfinished', 'under way']);
    await pass(clock, 20);
    assert.equal(opening.code(), 'editor.unfinished');
  });

  it('has the time that it was given, if it checks files: it tells what it found when that is up', async () => {
    const { editor, signals } = hangingEditor();
    const checks = [20_000, 120_000].map((timeMs) => outcomeOf(ending(editor).checkFiles(checkFor(timeMs), new AbortController().signal)));
    const codes = (): unknown[] => checks.map(({ code }) => code());
    await pass(clock, 25);
    assert.deepEqual(codes(), ['under way', 'under way']);
    await pass(clock, 5);
    assert.deepEqual(codes(), ['editor.unfinished', 'under way']);
    await pass(clock, 95);
    assert.deepEqual([codes()[1], signals[1]?.aborted], ['under way', false]);
    await pass(clock, 5);
    assert.deepEqual([codes()[1], signals[1]?.aborted], ['editor.unfinished', true]);
  });

  it('ends within 30 seconds if it only starts what the person has allowed, and is withdrawn then', async () => {
    const { editor, signals } = hangingEditor();
    const { acting } = ending(editor);
    const author = { credentialId: 'c', name: 'n' };
    const place = { cwd: '/w', terminal: 'sh', earlier: [], moreEarlier: 0, state: 'new' };
    const task = { name: 'build', definition: 'build', chain: { steps: [], unknown: [] }, isTest: false };
    const started = [
      acting.startTask(task, () => undefined, new AbortController().signal),
      acting.startCommand({ command: 'ls', place, author }, new AbortController().signal),
    ].map(outcomeOf);
    await pass(clock, 30);
    assert.deepEqual(
      started.map(({ code }, index) => [code(), signals[index]?.aborted]),
      [
        ['editor.unfinished', true],
        ['editor.unfinished', true],
      ],
    );
  });

  it('waits for the person for as long as the window answers, and outlives a short silence', async () => {
    const editor = ending(hangingEditor().editor);
    const origin = { author: { credentialId: 'c', name: 'n' } };
    const review = outcomeOf(editor.acting.formatDocument({ path: 'a.ts' }, origin, new AbortController().signal));
    await pass(clock, 600);
    answers = false;
    await pass(clock, 12);
    answers = true;
    await pass(clock, 600);
    assert.equal(review.code(), 'under way');
    answers = false;
    await pass(clock, 24);
    assert.equal(review.code(), 'editor.silent', 'before the client is told that the person is still asked');
  });

  it('ends with its reason when the client withdraws it, and with the server', async () => {
    const { editor, signals } = hangingEditor();
    const calls = new EndingCalls({ workbench, clock });
    const withdrawing = new AbortController();
    const withdrawn = calls.of(editor).language.searchSymbols('a', withdrawing.signal);
    const left = calls.of(editor).acting.openFile({ path: 'a.ts', preview: true });
    withdrawing.abort(abortError());
    await assert.rejects(withdrawn, { name: 'AbortError' });
    assert.deepEqual([signals.length, signals[0]?.aborted], [1, true]);
    calls.dispose();
    await assert.rejects(left, { code: 'server.stopped' });
    assert.equal(clock.pending, 0);
  });

  it('whose time is over leaves nothing behind, though its work never ends', async () => {
    const { editor } = hangingEditor();
    const { signal } = new AbortController();
    const { code } = outcomeOf(ending(editor).documents.read('a.ts', signal));
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    await pass(clock, 10);
    assert.deepEqual([code(), getEventListeners(signal, 'abort').length], ['editor.unfinished', 0]);
  });

  it('that ends in time ends as it did, and leaves nothing behind', async () => {
    const fake = new FakeEditor();
    const editor = ending(fake);
    const { signal } = new AbortController();
    assert.deepEqual(await editor.documents.read('src/a.ts', signal), await fake.documents.read('src/a.ts', signal));
    await assert.rejects(editor.documents.read('absent.ts', signal), { code: 'editor.pathNotFound' });
    assert.deepEqual(editor.listOpenEditors(), fake.editors);
    assert.equal(clock.pending, 0);
    let fired = 0;
    const listening = editor.onDidChangeOpenEditors(() => (fired += 1));
    fake.didChangeOpenEditors.fire();
    listening.dispose();
    assert.equal(fired, 1);
  });

  for (const [tool, args] of [
    ['open_file', { path: 'src/a.ts' }],
    ['save_file', { path: 'src/a.ts' }],
  ] as const) {
    it(`reaches the client as an error that says what to do, of ${tool}`, () => toldBy(tool, args));
  }

  async function toldBy(tool: string, args: JsonObject): Promise<void> {
    const approval = new FakeApproval({ kind: 'allowed', role: 'editor' });
    approval.confirm = () => never;
    const running = await runServer({ clock, approval, workbench: { ping: () => never } });
    try {
      running.editor.acting.openFile = () => never;
      const peer = running.peer();
      await peer.initialize();
      const answering = peer.callTool(tool, args, { _meta: { progressToken: 1 } });
      for (let second = 0; second < 30; second += 1) {
        await peer.request('ping'); // the call is under way
        await pass(clock, 1);
      }
      const { isError, content } = (await answering).json.result as { isError: boolean; content: readonly { text: string }[] };
      assert.equal(isError, true);
      assert.match(content[0]?.text ?? '', /window does not answer.*Reload the window or choose another/s);
    } finally {
      await running.close();
    }
  }
});
