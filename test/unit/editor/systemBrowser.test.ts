import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { UriRedirects } from '../../../src/editor/systemBrowser.ts';

describe('The way back from the browser through the editor', () => {
  let handler: vscode.UriHandler;
  let redirects: UriRedirects;

  beforeEach(() => {
    const window = {
      registerUriHandler: (given: vscode.UriHandler) => {
        handler = given;
        return { dispose: () => undefined };
      },
    };
    redirects = new UriRedirects(window, 'vscode');
  });

  afterEach(() => redirects.dispose());

  const open = (query: string, path = '/oauth'): void => void handler.handleUri({ path, query } as vscode.Uri);

  it('takes the answer with the right state and leaves every other', async () => {
    const receiver = await redirects.open();
    assert.equal(receiver.redirectUrl, 'vscode://duplex-mcp.duplex/oauth');
    const answer = receiver.answer('right', AbortSignal.timeout(10_000));
    open('code=stolen&state=wrong');
    open('code=stolen');
    open('code=stolen&state=right', '/elsewhere');
    open('code=a+b/c&state=right&iss=https://auth.example');
    assert.deepEqual(Object.fromEntries(await answer), { code: 'a+b/c', state: 'right', iss: 'https://auth.example' });
    receiver.dispose();
  });

  it('ends with the signal', async () => {
    const receiver = await redirects.open();
    const cancel = new AbortController();
    const answer = receiver.answer('right', cancel.signal);
    cancel.abort();
    await assert.rejects(answer, { name: 'AbortError' });
    receiver.dispose();
  });

  it('is not waited for when it was cancelled before', async () => {
    const receiver = await redirects.open();
    await assert.rejects(receiver.answer('right', AbortSignal.abort()), { name: 'AbortError' });
    receiver.dispose();
  });
});
