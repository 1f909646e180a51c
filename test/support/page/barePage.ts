/** A page of the extension in a plain browser: the same HTML, policy and files as in VS Code, with the test in place of the host. */
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import * as path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { readTexts, translationPath } from '../l10n/translations.ts';
import { pageHtml, type PageName } from '../../../src/views/pages/pageHtml.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };

export interface BarePage {
  readonly page: Page;
  /** Every address that the page asked for. */
  readonly requested: readonly string[];
  /** What the page's policy refused, and what it failed with. */
  readonly complaints: readonly string[];
  /** As the extension host would. */
  post(name: string, body: unknown): Promise<void>;
  /** The same in two steps: what a test costs the page is not what the message costs it. */
  prepare(name: string, body: unknown): Promise<() => Promise<void>>;
  /** What the page sent to the host. */
  sent(): Promise<readonly { readonly name: string; readonly body: unknown }[]>;
  /** The body of the next message of this name, waited for: each is given once. */
  nextSent(name: string): Promise<unknown>;
  /** Loads the page anew, as VS Code does when its view was gone; what the page stored for itself is there again. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** A page that is not written as all others are, and what it says first. */
export interface OwnHtml {
  readonly html: string;
  readonly firstMessage: string;
}

/** Files come from another origin than the page, as they do in VS Code. The page is in the language of `locale`. */
export async function openBarePage(browser: Browser, name: PageName | OwnHtml, options: BrowserContextOptions = {}): Promise<BarePage> {
  const server = http.createServer((request, response) => answer(name, options.locale ?? 'en', request, response));
  server.listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') {
      complaints.push(message.text());
    }
  });
  await page.addInitScript({ content: standIn });
  await page.goto(`http://127.0.0.1:${port}/`);
  const untilReady = async (): Promise<void> => {
    const first = typeof name === 'string' ? 'ready' : name.firstMessage;
    await page.waitForFunction((wanted) => (globalThis as StandIn).sentToHost?.some((message) => message.name === wanted) === true, first);
  };
  await untilReady();
  const prepare = async (message: string, body: unknown): Promise<() => Promise<void>> => {
    await page.evaluate((text) => void ((globalThis as StandIn).toPost = JSON.parse(text)), JSON.stringify({ name: message, body }));
    return () => page.evaluate(() => window.postMessage((globalThis as StandIn).toPost, self.origin));
  };
  const taken = new Map<string, number>();
  const nextSent = async (message: string): Promise<unknown> => {
    const place = taken.get(message) ?? 0;
    taken.set(message, place + 1);
    const found = await page.waitForFunction(
      ([wanted, index]) => (globalThis as StandIn).sentToHost?.filter((each) => each.name === wanted)[index],
      [message, place] as const,
    );
    return ((await found.jsonValue()) as { readonly body: unknown }).body;
  };
  return {
    page,
    requested,
    complaints,
    prepare,
    post: async (message, body) => (await prepare(message, body))(),
    nextSent,
    sent: () => page.evaluate(() => (globalThis as StandIn).sentToHost ?? []),
    reload: async () => {
      taken.clear();
      await page.reload();
      await untilReady();
    },
    close: async () => {
      await context.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

type StandIn = typeof globalThis & { sentToHost?: { name: string; body: unknown }[]; toPost?: unknown };

/** Runs in the page before its own code; text, since a compiled function may call what is not there. */
const standIn = `
  if (self === top) globalThis.sentToHost = [];
  if (self === top) globalThis.acquireVsCodeApi = () => ({
    postMessage: (message) => void globalThis.sentToHost.push(message),
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
  });
`;

function answer(name: PageName | OwnHtml, language: string, request: http.IncomingMessage, response: http.ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/') {
    const own = `http://localhost:${(request.socket.address() as AddressInfo).port}`;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (typeof name !== 'string') {
      response.end(name.html);
      return;
    }
    response.end(
      pageHtml({
        page: name,
        language,
        translations: JSON.stringify(readTexts(translationPath(language))),
        nonce: 'bare',
        ownSource: own,
        asset: (...parts) => [own, ...parts].join('/'),
      }),
    );
    return;
  }
  if (pathname === '/fake.html') {
    // VS Code has such an empty page beside each of its webviews.
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end('<!DOCTYPE html><html lang="en"><head><title>Fake</title></head><body></body></html>');
    return;
  }
  const file = path.join(root, pathname);
  const isOffered = ['dist/webview', 'media'].some((folder) => file.startsWith(path.join(root, folder) + path.sep));
  if (!isOffered || !existsSync(file)) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream', 'access-control-allow-origin': '*' });
  createReadStream(file).pipe(response);
}
