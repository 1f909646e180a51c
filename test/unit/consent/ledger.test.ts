import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/events.ts';
import { DisposableStore } from '../../../src/base/lifecycle.ts';
import { silentLog } from '../../../src/base/log.ts';
import type { SharedText } from '../../../src/base/sharedStorage.ts';
import type { ConsentRequest } from '../../../src/consent/consentModel.ts';
import { Ledger } from '../../../src/consent/ledger.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const echo: ConsentRequest = {
  principal: 'chat',
  action: 'callTool',
  subject: ['server', 'demo', 'tool', 'echo'],
  fingerprint: 'v1',
  material: { description: 'v1' },
};

/** A file in memory. What a reading finds, it found when it began; it is told when `release` says so. */
class SlowFile implements SharedText {
  text: string | undefined;
  isSlow = false;
  failure: Error | undefined;
  readonly #held: (() => void)[] = [];
  readonly onDidChange = new Emitter<void>().event;

  async read(): Promise<string | undefined> {
    const { text, failure } = this;
    if (this.isSlow) {
      await new Promise<void>((resolve) => this.#held.push(resolve));
    }
    if (failure !== undefined) {
      throw failure;
    }
    return text;
  }

  async modify(change: (current: string | undefined) => string): Promise<void> {
    this.text = change(this.text);
  }

  async setAside(): Promise<void> {}

  async held(count: number): Promise<void> {
    while (this.#held.length < count) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Ends the waiting of the reading that began last. */
  releaseLast(): void {
    this.#held.pop()?.();
  }
}

describe('The reading of remembered permissions', () => {
  let file: SlowFile;
  let clock: FakeClock;
  let ledger: Ledger;
  let listening: DisposableStore;
  beforeEach(() => {
    listening = new DisposableStore();
    file = new SlowFile();
    clock = new FakeClock();
    ledger = new Ledger({ storage: file, workspace: 'here', now: () => new Date(0), log: silentLog, clock });
  });
  afterEach(() => {
    listening.dispose();
    ledger.dispose();
  });
  /** Lets the time pass in steps, and whatever waited for each of them happen. */
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left >= 0; left -= 100) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(Math.min(100, left));
    }
    await new Promise((resolve) => setImmediate(resolve));
  };
  const listen = (): string[] => {
    const fired: string[] = [];
    listening.add(ledger.onDidChange(() => fired.push('changed')));
    listening.add(ledger.onDidRecover(() => fired.push('recovered')));
    return fired;
  };
  const known = (): readonly string[] => ledger.answers().map(({ principal, answer }) => `${principal} ${answer}`);

  it('brings back no permission that was revoked while it was under way', async () => {
    await ledger.remember(echo, 'allow', 'always');
    file.isSlow = true;
    const reading = ledger.load();
    await file.held(1);
    await ledger.revoke(...ledger.answers().map(({ id }) => id));
    file.isSlow = false;
    file.releaseLast();
    await reading;
    assert.deepEqual(known(), []);
  });

  it('counts only if none began later, however late it ends', async () => {
    await ledger.remember(echo, 'allow', 'always');
    file.isSlow = true;
    const first = ledger.load();
    await file.held(1);
    file.text = undefined;
    const second = ledger.load();
    await file.held(2);
    file.releaseLast();
    await second;
    file.releaseLast();
    await first;
    assert.deepEqual(known(), []);
  });

  it('changes nothing when it fails for a moment', async () => {
    await ledger.remember(echo, 'allow', 'always');
    const fired = listen();
    file.failure = new Error('too many open files');
    const reading = ledger.load();
    await pass(700);
    assert.deepEqual([known(), fired], [['chat allow'], []]);
    file.failure = undefined;
    await pass(100);
    await reading;
    assert.deepEqual([known(), fired, clock.pending], [['chat allow'], ['changed'], 0]);
  });

  it('leaves nothing but refusals within a second when it goes on failing, however often it begins', async () => {
    await ledger.remember(echo, 'allow', 'always');
    await ledger.remember({ ...echo, principal: 'palette' }, 'deny', 'always');
    file.failure = new Error('no access');
    for (let begun = 0; begun < 10; begun += 1) {
      void ledger.load();
      await pass(100);
    }
    assert.deepEqual(known(), ['palette deny']);
  });

  it('tells once that it fails, and when it succeeds again', async () => {
    await ledger.remember(echo, 'allow', 'always');
    const fired = listen();
    file.failure = new Error('no access');
    void ledger.load();
    await pass(60_000);
    assert.deepEqual([known(), fired], [[], ['changed']]);
    file.failure = undefined;
    await pass(5_000);
    assert.deepEqual([known(), fired, clock.pending], [['chat allow'], ['changed', 'changed', 'recovered'], 0]);
  });

  it('counts again once the file could be written', async () => {
    await ledger.remember(echo, 'allow', 'always');
    file.failure = new Error('no access');
    void ledger.load();
    await pass(1_000);
    const fired = listen();
    file.failure = undefined;
    await ledger.remember({ ...echo, principal: 'palette' }, 'allow', 'always');
    await pass(0);
    assert.deepEqual([known(), fired.includes('recovered'), clock.pending], [['chat allow', 'palette allow'], true, 0]);
  });
});
