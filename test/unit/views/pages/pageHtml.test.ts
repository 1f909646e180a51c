import assert from 'node:assert/strict';
import { pageHtml } from '../../../../src/views/pages/pageHtml.ts';

const html = pageHtml({
  page: 'chat',
  language: 'en',
  translations: JSON.stringify({ Send: '</script><script>alert(1)</script>' }),
  nonce: 'N0nce',
  ownSource: 'https://own.example',
  asset: (...path) => `https://own.example/${path.join('/')}`,
});

describe('A page of the extension', () => {
  it('has a policy that lets it run only what carries its nonce, and connect to nothing', () => {
    assert.equal(
      /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1],
      "default-src 'none'; script-src 'nonce-N0nce'; style-src https://own.example; font-src https://own.example; img-src https://own.example data:; media-src data:",
    );
  });

  it('runs one module, and no text of a translation can end its element', () => {
    assert.deepEqual(
      [...html.matchAll(/<script [^>]*>/g)].map(([tag]) => tag),
      [
        '<script type="application/json" id="l10n" nonce="N0nce">',
        '<script type="module" nonce="N0nce" src="https://own.example/dist/webview/chat.js">',
      ],
    );
    assert.equal(html.match(/<\/script>/g)?.length, 2);
  });
});
