import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/events.ts';
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
  beforeEach(() => {
    file = new SlowFile();
    clock = new FakeClock();
    ledger = new Ledger({ storage: file, workspace: 'here', now: () => new Date(0), log: silentLog, clock });
  });
  afterEach(() => ledger.dispose());
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

  it('leaves nothing but refusals when it fails, and is tried again', async () => {
    await ledger.remember(echo, 'allow', 'always');
    await ledger.remember({ ...echo, principal: 'palette' }, 'deny', 'always');
    file.failure = new Error('no access');
    await ledger.load();
    assert.deepEqual(known(), ['palette deny']);
    file.failure = undefined;
    clock.advance(5_000);
    while (known().length < 2) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(known(), ['chat allow', 'palette deny']);
    assert.equal(clock.pending, 0);
  });
});
