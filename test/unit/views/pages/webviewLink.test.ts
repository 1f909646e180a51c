import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import * as z from 'zod';
import { Late } from '../../../../src/base/late.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { WebviewLink } from '../../../../src/views/pages/webviewLink.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const messages = { throws: z.object({}), rejects: z.object({}), works: z.object({}) } as const;

describe('What a page asks for', () => {
  it('is reported when it fails, at once or later, and what comes after it is still heard', async () => {
    let receive: (raw: unknown) => unknown = () => undefined;
    const webview = {
      onDidReceiveMessage: (listener: (raw: unknown) => unknown) => {
        receive = listener;
        return { dispose: () => undefined };
      },
    } as unknown as vscode.Webview;
    const reported: unknown[] = [];
    const heard: string[] = [];
    const rejects = (() => Promise.reject(new Error('later'))) as () => void;
    const handlers = {
      throws: () => {
        throw new Error('at once');
      },
      rejects,
      works: () => void heard.push('works'),
    };
    const link = new WebviewLink(webview, messages, handlers, silentLog, (error) => reported.push(error));
    for (const name of ['throws', 'rejects', 'works']) {
      assert.doesNotThrow(() => receive({ name, body: {} }));
    }
    assert.deepEqual(heard, ['works'], 'without waiting for anything');
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(
      reported.map((error) => (error instanceof Error ? error.message : '')),
      ['at once', 'later'],
    );
    link.dispose();
  });

  describe('by messages that are loaded with the first of them', () => {
    const numbered = { says: z.object({ number: z.number() }) } as const;
    let attempts: (typeof numbered | undefined)[];
    let heard: number[];
    let reported: unknown[];
    let clock: FakeClock;
    let link: WebviewLink<typeof numbered, typeof numbered>;
    let receive: (raw: unknown) => unknown;

    beforeEach(() => {
      [attempts, heard, reported, clock] = [[], [], [], new FakeClock()];
      const webview = {
        onDidReceiveMessage: (listener: (raw: unknown) => unknown) => {
          receive = listener;
          return { dispose: () => undefined };
        },
      } as unknown as vscode.Webview;
      const load = async (): Promise<typeof numbered> =>
        Promise.resolve(attempts.shift()).then((loaded) => loaded ?? Promise.reject(new Error('the disk was away')));
      const handlers = { says: ({ number }: { number: number }) => void heard.push(number) };
      link = new WebviewLink(webview, new Late(load), handlers, silentLog, (error) => reported.push(error), clock);
    });
    afterEach(() => link.dispose());

    const say = (number: number): unknown => receive({ name: 'says', body: { number } });
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

    it('is heard in its order, also what came when they could not be loaded', async () => {
      attempts = [undefined, numbered];
      say(1);
      say(2);
      await turn();
      assert.deepEqual([heard, reported.length], [[], 1], 'what could not be read is told of, once');
      say(3);
      say(4);
      await turn();
      say(5);
      assert.deepEqual([heard, reported.length, clock.pending], [[1, 2, 3, 4, 5], 1, 0]);
    });

    it('is heard when the page waits and says nothing more', async () => {
      attempts = [undefined, undefined, numbered];
      say(1);
      await turn();
      clock.advance(1_000);
      await turn();
      assert.deepEqual(heard, []);
      clock.advance(5_000);
      await turn();
      assert.deepEqual([heard, reported.length, clock.pending], [[1], 1, 0]);
    });

    it('is tried no more after a while, and is not kept without end', async () => {
      say(0);
      for (let step = 0; step < 10; step += 1) {
        await turn();
        clock.advance(60_000);
      }
      assert.deepEqual([clock.pending, reported.length], [0, 1]);
      for (let number = 1; number < 200; number += 1) {
        say(number);
      }
      await turn();
      assert.deepEqual([clock.pending, reported.length], [1, 2]);
      attempts = [numbered];
      clock.advance(1_000);
      await turn();
      assert.deepEqual([heard.length, heard.at(-1)], [100, 99]);
    });

    it('is not heard after the page is gone', async () => {
      say(1);
      await turn();
      link.dispose();
      assert.equal(clock.pending, 0);
      attempts = [numbered];
      clock.advance(60_000);
      await turn();
      assert.deepEqual(heard, []);
    });
  });
});
