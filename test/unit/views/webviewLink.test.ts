import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import * as z from 'zod';
import { Late } from '../../../src/base/late.ts';
import { silentLog } from '../../../src/base/log.ts';
import { WebviewLink } from '../../../src/views/webviewLink.ts';

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

  it('is heard in its order also when the messages themselves are loaded with the first of them', async () => {
    let receive: (raw: unknown) => unknown = () => undefined;
    const webview = {
      onDidReceiveMessage: (listener: (raw: unknown) => unknown) => {
        receive = listener;
        return { dispose: () => undefined };
      },
    } as unknown as vscode.Webview;
    const heard: number[] = [];
    const reported: unknown[] = [];
    const numbered = { says: z.object({ number: z.number() }) } as const;
    const attempts = [Promise.resolve(numbered), Promise.reject(new Error('the disk was away'))];
    const link = new WebviewLink(
      webview,
      new Late(() => attempts.pop() ?? Promise.resolve(numbered)),
      { says: ({ number }) => void heard.push(number) },
      silentLog,
      (error) => reported.push(error),
    );
    const say = (number: number): unknown => receive({ name: 'says', body: { number } });
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    say(1);
    await turn();
    assert.deepEqual([heard, reported.length], [[], 1], 'what could not be read is told of');
    say(2);
    say(3);
    await turn();
    say(4);
    assert.deepEqual(heard, [2, 3, 4]);
    link.dispose();
  });
});
