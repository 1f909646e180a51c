import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

const webview = path.resolve(import.meta.dirname, '../../../src/webview');
const media = path.resolve(import.meta.dirname, '../../../media');
const read = (folder: string, ending: RegExp): { name: string; text: string }[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => ({ name: name.replaceAll('\\', '/'), text: readFileSync(path.join(folder, name), 'utf8') }));
const namesWith = (pattern: RegExp): string[] =>
  read(webview, /\.tsx?$/)
    .filter(({ text }) => pattern.test(text))
    .map(({ name }) => name);

describe('The code of the pages', () => {
  it('has no place where text could become HTML or code', () => {
    assert.deepEqual(
      namesWith(/innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|DOMParser|\beval\(|new Function\(/),
      [],
    );
  });

  it('reaches the host through the link alone, and nothing else at all', () => {
    assert.deepEqual(namesWith(/acquireVsCodeApi\(/), ['shared/hostLink.ts']);
    // Beside the link, the two ends of the page's own thread, and of the frames of apps.
    assert.deepEqual(namesWith(/postMessage\(/).sort(), [
      'chat/apps/appShell.ts',
      'chat/apps/relayFrame.ts',
      'markdown/pageThread.ts',
      'markdown/textThread.ts',
      'shared/hostLink.ts',
    ]);
    assert.deepEqual(namesWith(/new Worker\(|importScripts|createObjectURL/), ['markdown/pageThread.ts']);
    assert.deepEqual(namesWith(/\bfetch\(|XMLHttpRequest|WebSocket\(|EventSource|sendBeacon|window\.open|<a\b[^>]*\bhref=/), []);
  });
});

describe('The style sheets', () => {
  it('take every colour from the theme, and have no shadow, gradient or address', () => {
    const found = read(media, /\.css$/).flatMap(({ name, text }) =>
      [...text.matchAll(/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\(|box-shadow|text-shadow|gradient|url\(|https?:/gi)].map(
        ([match]) => `${name}: ${match}`,
      ),
    );
    assert.deepEqual(found, []);
  });
});
