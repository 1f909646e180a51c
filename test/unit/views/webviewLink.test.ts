import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import * as z from 'zod';
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
});
