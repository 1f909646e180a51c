import assert from 'node:assert/strict';
import type { TrafficDetail, TrafficRows } from '../../../../src/contract/pages/trafficMessages.ts';
import { isRepeatable } from '../../../../src/traffic/messageFacts.ts';
import { TrafficLog } from '../../../../src/traffic/trafficLog.ts';
import type { TrafficPeer } from '../../../../src/traffic/trafficTap.ts';
import { TrafficFeed } from '../../../../src/views/traffic/trafficFeed.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const peer: TrafficPeer = { side: 'server', id: 's', name: 'files' };

describe('What a page is told of the traffic', () => {
  let clock: FakeClock;
  let log: TrafficLog;
  let feed: TrafficFeed;
  let rows: TrafficRows[];
  let found: { readonly text: string; readonly numbers: readonly number[] }[];
  let details: TrafficDetail[];
  let turns: number;
  beforeEach(() => {
    clock = new FakeClock();
    [rows, found, details, turns] = [[], [], [], 0];
    log = new TrafficLog({
      clock,
      mask: () => (text) => text,
      canRepeat: () => true,
      limits: { maxRecords: 5_000, maxCharacters: 50_000_000 },
    });
    log.setOpen(true);
    feed = new TrafficFeed({
      log,
      clock,
      whyNoScript: () => undefined,
      postRows: (each) => rows.push(each),
      postFound: (each) => found.push(each),
      postDetail: (each) => details.push(each),
      letOthersWork: async () => {
        turns += 1;
      },
    });
  });
  afterEach(() => {
    feed.dispose();
    log.dispose();
  });
  const ask = (id: number, text = ''): void =>
    log.note(peer, 'sent', { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { text } } });
  const answer = (id: number, text = ''): void => log.note(peer, 'received', { jsonrpc: '2.0', id, result: { text } });
  const told = (): unknown => rows.map((each) => each.rows.map(({ number, state }) => [number, state]));

  it('is everything when it starts, and then what is new or changed, now and then', () => {
    ask(1);
    assert.deepEqual(rows, []);
    feed.start();
    ask(2);
    answer(1);
    answer(2);
    assert.deepEqual(told(), [[[1, 'waiting']]]);
    clock.advance(1_000);
    assert.deepEqual(told(), [
      [[1, 'waiting']],
      [
        [1, 'answered'],
        [2, 'answered'],
      ],
    ]);
    clock.advance(10_000);
    assert.deepEqual([rows.length, clock.pending], [2, 0]);
  });

  it('comes in parts that a page can draw', () => {
    feed.start();
    for (let id = 1; id <= 2_500; id += 1) {
      ask(id);
    }
    clock.advance(1_000);
    assert.deepEqual(
      rows.map((each) => each.rows.length),
      [0, 1_000, 1_000, 500],
    );
  });

  it('says which rows are gone, also when all are', () => {
    ask(1);
    feed.start();
    log.clear();
    clock.advance(1_000);
    assert.deepEqual(
      rows.map(({ first }) => first),
      [1, 2],
    );
  });

  it('is where a text stands, in requests and answers, also one that JSON writes differently', async () => {
    ask(1, 'say "Hello"');
    ask(2, 'nothing');
    ask(3);
    answer(3, 'well, say "hello"');
    await feed.find('SAY "hello"');
    await feed.find('(');
    assert.deepEqual(found, [
      { text: 'SAY "hello"', numbers: [1, 3] },
      { text: '(', numbers: [] },
    ]);
  });

  it('is where a text stands in what comes later, too', async () => {
    feed.start();
    await feed.find('needle');
    ask(1, 'needle');
    ask(2, 'hay');
    clock.advance(1_000);
    assert.deepEqual(rows.at(-1)?.matching, [1]);
  });

  it('comes in small parts while somebody looks for a text in what is long', async () => {
    feed.start();
    await feed.find('needle');
    for (let id = 1; id <= 100; id += 1) {
      ask(id, 'x'.repeat(60_000));
    }
    clock.advance(10_000);
    const parts = rows.map((each) => each.rows.length);
    assert.equal(
      parts.reduce((sum, each) => sum + each, 0),
      100,
    );
    // Of each 32 KB are kept.
    assert.ok(Math.max(...parts) <= 64, `up to ${Math.max(...parts)} at once`);
  });

  it('is where a text stands in what came while the search was under way, too', async () => {
    feed.start();
    for (let id = 1; id <= 100; id += 1) {
      ask(id, 'x'.repeat(60_000));
    }
    clock.advance(10_000);
    const searching = feed.find('needle');
    ask(101, 'needle');
    clock.advance(1_000);
    await searching;
    assert.deepEqual(found, [{ text: 'needle', numbers: [101] }]);
  });

  it('lets others have their turn in a long search, and is silent about one that was given up', async () => {
    for (let id = 1; id <= 200; id += 1) {
      ask(id, 'x'.repeat(60_000));
    }
    const first = feed.find('xx');
    await Promise.all([first, feed.find('yy')]);
    assert.ok(turns > 0);
    assert.deepEqual(found, [{ text: 'yy', numbers: [] }]);
  });

  it('is the whole exchange that was selected, again when its answer comes', () => {
    ask(1, 'hello');
    feed.start();
    feed.select(1);
    answer(1, 'world');
    clock.advance(1_000);
    assert.deepEqual(
      details.map(({ message, answer: heard, noSendAgain, noScript }) => [
        message.includes('hello'),
        heard?.includes('world'),
        noSendAgain,
        noScript,
      ]),
      [
        [true, undefined, undefined, undefined],
        [true, true, undefined, undefined],
      ],
    );
  });

  it('is why a message cannot be sent again', () => {
    const request = (method: string, text = ''): object => ({ jsonrpc: '2.0', id: 1, method, params: { text } });
    const open = new TrafficLog({ clock, mask: () => (text) => text, canRepeat: isRepeatable });
    open.setOpen(true);
    const told: unknown[] = [];
    const nothing = (): void => undefined;
    const postDetail = ({ noSendAgain }: TrafficDetail): void => void told.push(noSendAgain);
    const other = new TrafficFeed({
      log: open,
      clock,
      whyNoScript: () => undefined,
      postRows: nothing,
      postFound: nothing,
      postDetail,
      letOthersWork: async () => undefined,
    });
    open.note(peer, 'sent', request('tools/call'));
    open.note(peer, 'sent', request('tools/call', 'x'.repeat(300_000)));
    open.note(peer, 'sent', request('initialize'));
    open.note(peer, 'received', request('ping'));
    [1, 2, 3, 4].forEach((number) => other.select(number));
    assert.deepEqual(told, [undefined, 'tooLong', 'method', 'notOurs']);
    other.dispose();
    open.dispose();
  });

  it('is the newest exchange of its kind after one was sent again', () => {
    ask(1);
    feed.start();
    const [first] = log.list();
    assert.ok(first !== undefined);
    ask(2);
    log.note(peer, 'sent', { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'other' } });
    feed.selectLike(first);
    assert.deepEqual(
      [details.map(({ number }) => number), told()],
      [
        [2],
        [
          [[1, 'waiting']],
          [
            [2, 'waiting'],
            [3, 'waiting'],
          ],
        ],
      ],
    );
  });
});
