import assert from 'node:assert/strict';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as vscode from 'vscode';
import { SystemBrowser } from '../../src/editor/systemBrowser.ts';

const ownOrigin = 'vscode-webview://1a2b3c';

/** The page's end of the link, in a stand-in for the page's window; its file needs a browser's types, so it is loaded by name. */
async function openPage(): Promise<{ readonly received: string[]; deliver(origin: string, data: unknown): void }> {
  const page = new EventTarget();
  Object.assign(globalThis, { window: page, self: { origin: ownOrigin }, acquireVsCodeApi: () => ({}) });
  const file = path.resolve(import.meta.dirname, '../../src/webview/shared/hostLink.ts');
  const { openHostLink } = (await import(pathToFileURL(file).href)) as {
    openHostLink: () => { listen(listener: (message: { readonly name: string }) => void): void };
  };
  const received: string[] = [];
  openHostLink().listen(({ name }) => received.push(name));
  return {
    received,
    deliver: (origin, data) => void page.dispatchEvent(Object.assign(new Event('message'), { origin, data })),
  };
}

/** As VS Code's own: it knows an address only decoded. */
class DecodingUri {
  readonly #href: string;

  constructor(href: string) {
    this.#href = href;
  }

  static parse(href: string): vscode.Uri {
    return new DecodingUri(href) as unknown as vscode.Uri;
  }

  toString(skipEncoding = false): string {
    const decoded = decodeURIComponent(this.#href);
    return skipEncoding ? decoded : decoded.replaceAll(/[&#=+]/g, encodeURIComponent);
  }
}

/** VS Code's end: text opens as it stands unless the address is forwarded, a Uri is written anew from what was decoded. */
function fakeEditor(forwarded: Readonly<Record<string, string>> = {}): { readonly opened: string[]; readonly browser: SystemBrowser } {
  const opened: string[] = [];
  const env = {
    openExternal: async (address: unknown) => {
      opened.push(typeof address === 'string' ? address : encodeURI((address as vscode.Uri).toString(true)));
      return true;
    },
    asExternalUri: async (uri: vscode.Uri) => {
      const outside = Object.entries(forwarded).find(([inside]) => uri.toString(true).startsWith(inside));
      if (outside === undefined) {
        throw new Error('Could not resolve external URI');
      }
      return DecodingUri.parse(uri.toString(true).replace(...outside));
    },
  };
  return { opened, browser: new SystemBrowser(env, DecodingUri) };
}

describe('Only the extension speaks to its pages:', () => {
  const globals = ['window', 'self', 'acquireVsCodeApi'] as const;
  const before = globals.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);

  afterEach(() => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) {
        Reflect.deleteProperty(globalThis, name);
      } else {
        Object.defineProperty(globalThis, name, descriptor);
      }
    }
  });

  it('a message from a frame of any other origin is not delivered', async () => {
    const page = await openPage();
    for (const origin of ['null', '', 'https://evil.example', 'vscode-webview://other', `${ownOrigin}.evil.example`]) {
      page.deliver(origin, { name: 'chat/focus', body: {} });
    }
    assert.deepEqual(page.received, []);
    page.deliver(ownOrigin, { name: 'chat/focus', body: {} });
    assert.deepEqual(page.received, ['chat/focus']);
  });
});

describe('The link that opens is the link that was shown:', () => {
  const shown = [
    'https://example.com/?next=a%26admin%3D1',
    'https://example.com/a%23b',
    'https://example.com/a%2Fb?c=%2B+%25',
    'mailto:me@example.com?subject=a%26bcc%3Dyou@example.com',
    'https://example.com/?q=%E4%BD%A0',
  ];

  it('escapes stay escapes, byte for byte', async () => {
    const { browser, opened } = fakeEditor();
    for (const href of shown) {
      assert.equal(await browser.openAsShown(href), 'asked');
    }
    assert.deepEqual(opened, shown);
  });

  it('a forwarded address opens only if forwarding leaves the rest as it is', async () => {
    const { browser, opened } = fakeEditor({ 'http://localhost:3000': 'http://localhost:40000' });
    assert.equal(await browser.openAsShown('http://localhost:3000/?next=a%26admin%3D1'), 'otherAddress');
    assert.equal(await browser.openAsShown('http://localhost:3000/a%20b?c=d'), 'asked');
    assert.deepEqual(opened, ['http://localhost:3000/a%20b?c=d']);
  });
});
