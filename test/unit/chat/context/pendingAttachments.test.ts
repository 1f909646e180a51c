import assert from 'node:assert/strict';
import type { Disposable } from '../../../../src/base/lifecycle.ts';
import type { SecretPlace } from '../../../../src/secrets/secretMarks.ts';
import type { ContextReading, ContextRef, ContextSources, LineRange } from '../../../../src/chat/context/contextSources.ts';
import { PendingAttachments } from '../../../../src/chat/context/pendingAttachments.ts';
import { neverAborted } from '../../../../src/base/abort.ts';
import { maxAttachments } from '../../../../src/contract/chat/attachments.ts';
import { pathNotFound } from '../../../../src/platform/paths/clientPath.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { pngOf } from '../../../support/tinyPictures.ts';

class FakeSources implements ContextSources {
  readonly texts = new Map<string, string>();
  readonly withheld = new Set<string>();
  readonly #listeners = new Set<() => void>();

  present(): Promise<[]> {
    return Promise.resolve([]);
  }

  candidates(): Promise<[]> {
    return Promise.resolve([]);
  }

  isWithheld(ref: ContextRef): boolean {
    return 'path' in ref && this.withheld.has(ref.path ?? '');
  }

  read(ref: ContextRef): Promise<ContextReading> {
    const path = 'path' in ref ? (ref.path ?? '') : ref.kind;
    const text = this.texts.get(path);
    return text === undefined
      ? Promise.reject(pathNotFound(path))
      : Promise.resolve({ content: [{ kind: 'text', name: '', text }], version: text, isWithheld: this.isWithheld(ref) });
  }

  selectLines(path: string, lines: LineRange): Promise<ContextRef> {
    return Promise.resolve({ kind: 'selection', path, lines, text: this.texts.get(path) ?? '' });
  }

  watch(_ref: ContextRef, onChange: () => void): Disposable {
    this.#listeners.add(onChange);
    return { dispose: () => this.#listeners.delete(onChange) };
  }

  change(path: string, text: string): void {
    this.texts.set(path, text);
    this.#listeners.forEach((listener) => listener());
  }

  get watched(): number {
    return this.#listeners.size;
  }
}

const secret = 'hunter2-hunter2';
const secretsIn = (text: string): Promise<readonly SecretPlace[]> => {
  const from = text.indexOf(secret);
  return Promise.resolve(from < 0 ? [] : [{ from, to: from + secret.length }]);
};
const file = (path: string): ContextRef => ({ kind: 'file', path });
/** Long enough for every promise of a reading. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
};

describe('What waits to be sent with a message', () => {
  let sources: FakeSources;
  let clock: FakeClock;
  let pending: PendingAttachments;
  let id: number;

  beforeEach(() => {
    sources = new FakeSources();
    clock = new FakeClock();
    id = 0;
    pending = new PendingAttachments({ sources, secretsIn, clock, createId: () => `${(id += 1)}` });
  });
  afterEach(() => pending.dispose());

  const add = (path: string, text: string): Promise<void> => {
    sources.texts.set(path, text);
    return pending.add(file(path), neverAborted());
  };

  it('says how much it is, what looks like a secret in it, and that it is withheld', async () => {
    sources.withheld.add('.env');
    await add('a.ts', 'hello');
    await add('.env', `PASSWORD=${secret}`);
    assert.deepEqual(
      pending.chips.map(({ name, bytes, secrets, isWithheld }) => ({ name, bytes, secrets, isWithheld })),
      [
        { name: 'a.ts', bytes: 5, secrets: undefined, isWithheld: undefined },
        { name: '.env', bytes: Buffer.byteLength('PASSWORD=[redacted]'), secrets: 1, isWithheld: true },
      ],
    );
  });

  it('has the same thing once, and no more things than a message may have', async () => {
    await add('a.ts', 'hello');
    await add('a.ts', 'hello');
    assert.equal(pending.chips.length, 1);
    for (let count = 1; count < maxAttachments; count += 1) {
      await add(`${count}.ts`, 'x');
    }
    await assert.rejects(add('one-too-many.ts', 'x'), { code: 'chat.tooManyAttachments' });
    assert.equal(pending.chips.length, maxAttachments);
  });

  it('may be the result of a tool, with its size, and says on its way whose words it is', async () => {
    const saidIn = { serverId: 'user:weather', server: 'weather', tool: 'forecast', arguments: { city: 'Bern' } };
    await pending.addResult([{ kind: 'text', name: '', text: 'sun' }], saidIn);
    await pending.addResult([{ kind: 'text', name: '', text: 'sun' }], saidIn);
    assert.deepEqual(
      pending.chips.map(({ kind, name, bytes }) => ({ kind, name, bytes })),
      Array.from({ length: 2 }, () => ({ kind: 'result', name: 'weather forecast', bytes: 3 })),
    );
    const [first] = pending.take();
    assert.ok(first?.wish.kind === 'attachment');
    assert.deepEqual(first.wish.saidIn, saidIn);
  });

  it('of an app stands in place of what the app said before, and goes when the app takes it back', async () => {
    const saidIn = { serverId: 'user:w', server: 'weather', tool: 'map', arguments: {} };
    for (const text of ['one', 'three']) {
      await pending.addOfApp('app p', text, saidIn);
    }
    await pending.addOfApp('app q', 'other', saidIn);
    assert.deepEqual(
      pending.chips.map(({ kind, name, bytes }) => [kind, name, bytes]),
      [
        ['result', 'weather map', 5],
        ['result', 'weather map', 5],
      ],
    );
    await pending.addOfApp('app p', '', saidIn);
    assert.equal(pending.chips.length, 1);
    const [left] = pending.take();
    assert.ok(left?.wish.kind === 'attachment');
    assert.deepEqual((await left.wish.read(neverAborted())).content, [{ kind: 'text', name: '', text: 'other' }]);
    assert.deepEqual(left.wish.saidIn, saidIn);
  });

  it('goes again when it cannot be read, and says why to people', async () => {
    await assert.rejects(pending.add(file('gone.ts'), neverAborted()), { code: 'chat.attachMissing' });
    assert.deepEqual(pending.chips, []);
  });

  it('comes back when its message is not sent after all, once', async () => {
    await add('a.ts', 'text');
    const taken = pending.take();
    await add('b.ts', 'more');
    pending.giveBack(taken);
    pending.giveBack(taken);
    assert.deepEqual(
      pending.chips.map(({ name }) => name),
      ['a.ts', 'b.ts'],
    );
  });

  it('says when its source has changed, and then sends what is there now', async () => {
    await add('a.ts', 'old');
    sources.change('a.ts', 'new text');
    clock.advance(500);
    await settled();
    assert.deepEqual(
      pending.chips.map(({ changed, bytes }) => [changed, bytes]),
      [['live', 8]],
    );
    const [item] = pending.take();
    assert.equal(
      item?.wish.kind === 'attachment' ? JSON.stringify((await item.wish.read(neverAborted())).content) : '',
      '[{"kind":"text","name":"","text":"new text"}]',
    );
  });

  it('sends what was attached when that is gone by then, and tells of a change after it was sent', async () => {
    await add('a.ts', 'old');
    const sent: string[] = [];
    const listening = pending.onDidChangeSent((each) => sent.push(each));
    const [item] = pending.take();
    assert.deepEqual(pending.chips, []);
    sources.texts.delete('a.ts');
    const reading = item?.wish.kind === 'attachment' ? await item.wish.read(neverAborted()) : undefined;
    assert.deepEqual(reading?.content, [{ kind: 'text', name: '', text: 'old' }]);
    sources.change('a.ts', 'other');
    clock.advance(500);
    await settled();
    assert.deepEqual(sent, [item?.chip.id]);
    listening.dispose();
  });

  it('watches nothing any more once it is removed', async () => {
    await add('a.ts', 'hello');
    assert.equal(sources.watched, 1);
    pending.remove(pending.chips[0]?.id ?? '');
    assert.deepEqual([sources.watched, pending.chips], [0, []]);
  });

  it('takes images of kinds that models take, and no others', async () => {
    await pending.addImage({ name: 'shot.png', mimeType: 'image/png', data: pngOf() });
    assert.deepEqual(
      pending.chips.map(({ kind, name, bytes }) => [kind, name, bytes]),
      [['image', 'shot.png', 24]],
    );
    for (const [mimeType, data] of [
      ['image/svg+xml', pngOf()],
      ['image/png', Buffer.from('not a picture\0').toString('base64')],
      ['image/png', pngOf(9_000, 10)],
    ] as const) {
      await assert.rejects(pending.addImage({ name: 'x', mimeType, data }), { code: 'chat.imageRefused' });
    }
  });

  it('goes on elsewhere with the text it belongs to, and is looked after there', async () => {
    await add('a.ts', 'hello');
    const other = new PendingAttachments({ sources, secretsIn, clock, createId: () => `other-${(id += 1)}` });
    other.takeOver(pending);
    pending.dispose();
    assert.deepEqual([pending.chips.length, other.chips.map(({ name }) => name)], [0, ['a.ts']]);
    sources.change('a.ts', 'hello again');
    clock.advance(1_000);
    await settled();
    assert.deepEqual(
      other.chips.map(({ bytes, changed }) => ({ bytes, changed })),
      [{ bytes: 11, changed: 'live' }],
    );
    other.dispose();
    assert.equal(sources.watched, 0);
  });
});
