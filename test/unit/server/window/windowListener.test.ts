import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/events.ts';
import { DisposableStore } from '../../../../src/base/lifecycle.ts';
import { readSetting } from '../../../../src/contract/settings/readSetting.ts';
import type { IgnorableSettingName, SettingName, SettingValue, WindowSettingName } from '../../../../src/contract/settings/settings.ts';
import { defaultLimits } from '../../../../src/server/access/limits.ts';
import type { ListenOptions, EmbeddedServerState } from '../../../../src/server/window/serverCore.ts';
import { WindowListener, type ListenerWishes } from '../../../../src/server/window/windowListener.ts';

describe('The listener of a window', () => {
  let lifetime: DisposableStore;
  let wishes: Wishes;
  let server: ScriptedServer;
  let happened: string[];
  let create: () => Promise<ScriptedServer>;
  let listener: WindowListener<ScriptedServer>;

  beforeEach(() => {
    lifetime = new DisposableStore();
    wishes = new Wishes(lifetime);
    happened = [];
    server = new ScriptedServer(happened);
    create = () => Promise.resolve(server);
    listener = lifetime.add(
      new WindowListener({
        wishes,
        create: () => {
          happened.push('create');
          return create();
        },
        forgetWindowTokens: () => happened.push('forget'),
        reports: {
          limits: (limits) => happened.push(`limits ${limits.kind}`),
          started: (state) => happened.push(`started ${state.kind}`),
          failed: (error) => happened.push(`failed ${String(error)}`),
        },
      }),
    );
  });
  afterEach(() => lifetime.dispose());

  it('is not made where it is not wanted', async () => {
    wishes.trusted = false;
    await listener.apply();
    wishes.trusted = true;
    wishes.values.set('duplex.server.enabled', false);
    await listener.apply();
    assert.deepEqual([happened, listener.state, listener.server], [['forget', 'forget'], { kind: 'stopped' }, undefined]);
  });

  it('starts again when one of its settings changes, and with no other', async () => {
    await listener.apply();
    wishes.change('duplex.server.port', 4100);
    wishes.change('duplex.chat.model', 'any');
    assert.equal(await listener.ownPort(), 4100);
    const first = ['forget', 'create', 'limits valid', 'start 0', 'started listening'];
    assert.deepEqual(happened, [...first, 'stop', 'forget', 'limits valid', 'start 4100', 'started listening']);
  });

  it('does not start when it is switched off while its code is loading', async () => {
    create = () => {
      wishes.values.set('duplex.server.enabled', false);
      return Promise.resolve(server);
    };
    await listener.apply();
    assert.deepEqual([happened, await listener.ownPort()], [['forget', 'create'], undefined]);
  });

  it('makes one change at a time, the last of which stands', async () => {
    server.startsAfter = new Promise((resolve) => setImmediate(resolve));
    void listener.apply();
    wishes.change('duplex.server.port', 4100);
    wishes.change('duplex.server.port', 4200);
    assert.equal(await listener.ownPort(), 4200);
    const overlapping = happened.filter((each, index) => each.startsWith('start ') && happened[index + 1] !== 'started listening');
    assert.deepEqual([overlapping, happened.filter((each) => each === 'create').length], [[], 1]);
  });

  it('tells a failure instead of rejecting, and goes on with the next change', async () => {
    server.failure = new Error('no start');
    await listener.apply();
    server.failure = undefined;
    await listener.apply();
    assert.deepEqual(happened.slice(3), ['failed Error: no start', 'stop', 'forget', 'limits valid', 'start 0', 'started listening']);
  });

  it('counts the readable limits of a malformed setting, and says so', async () => {
    wishes.values.set('duplex.server.limits', { sessions: 3, streams: 'many' });
    await listener.apply();
    const { sessions, streams } = server.options?.limits ?? {};
    assert.deepEqual([happened[2], sessions, streams], ['limits malformed', 3, defaultLimits.streams]);
  });

  it('has a fixed port only when the person chose one', () => {
    const before = listener.fixedPort;
    wishes.values.set('duplex.server.port', 4100);
    assert.deepEqual([before, listener.fixedPort], [undefined, 4100]);
  });
});

class Wishes implements ListenerWishes {
  readonly values = new Map<SettingName, unknown>();
  trusted = true;
  readonly #changed: Emitter<(name: SettingName) => boolean>;

  constructor(lifetime: DisposableStore) {
    this.#changed = lifetime.add(new Emitter());
  }

  get onDidChange(): ListenerWishes['onDidChange'] {
    return this.#changed.event;
  }

  isTrusted(): boolean {
    return this.trusted;
  }

  get<N extends IgnorableSettingName>(name: N): SettingValue<N> {
    const reading = this.read(name);
    return (reading.kind === 'valid' ? reading.value : reading.rest) as SettingValue<N>;
  }

  read<N extends WindowSettingName>(name: N): ReturnType<typeof readSetting<N>> {
    return readSetting(name, this.values.get(name));
  }

  change(name: SettingName, value: unknown): void {
    this.values.set(name, value);
    this.#changed.fire((each) => each === name);
  }
}

class ScriptedServer {
  state: EmbeddedServerState = { kind: 'stopped' };
  options: ListenOptions | undefined;
  startsAfter: Promise<unknown> = Promise.resolve();
  failure: Error | undefined;
  readonly #happened: string[];

  constructor(happened: string[]) {
    this.#happened = happened;
  }

  async start(options: ListenOptions = {}): Promise<EmbeddedServerState> {
    if (this.failure !== undefined) {
      throw this.failure;
    }
    this.#happened.push(`start ${String(options.port)}`);
    this.options = options;
    await this.startsAfter;
    const urls = { mcp: '', sse: '', ws: '' };
    this.state = { kind: 'listening', port: options.port ?? 0, takenPort: undefined, urls, discovery: { kind: 'published', path: '' } };
    return this.state;
  }

  stop(): Promise<void> {
    this.#happened.push('stop');
    this.state = { kind: 'stopped' };
    return Promise.resolve();
  }
}
