import assert from 'node:assert/strict';
import { pageHtml, type PageName } from '../../../../src/views/pages/pageHtml.ts';

const write = (page: PageName): string =>
  pageHtml({
    page,
    language: 'en',
    translations: JSON.stringify({ Send: '</script><script>alert(1)</script>' }),
    nonce: 'N0nce',
    ownSource: 'https://own.example',
    asset: (...path) => `https://own.example/${path.join('/')}`,
  });
const policyOf = (html: string): string | undefined => /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
const html = write('chat');
const closed =
  "default-src 'none'; script-src 'nonce-N0nce'; style-src https://own.example; font-src https://own.example; img-src https://own.example data:; media-src data:";

describe('A page of the extension', () => {
  it('has a policy that lets it run only what carries its nonce, and connect to nothing', () => {
    assert.equal(policyOf(write('consent')), closed);
  });

  it('may have frames of its own origin in the chat only, where apps are shown', () => {
    assert.equal(policyOf(html), `${closed}; worker-src blob:; frame-src 'self'`);
  });

  it('may make a thread of its own code where it shows Markdown or code, and not elsewhere', () => {
    const names: readonly PageName[] = ['chat', 'consent', 'doctor', 'audit', 'permissions', 'registry', 'runner', 'traffic'];
    assert.deepEqual(
      names.filter((name) => policyOf(write(name))?.startsWith(`${closed}; worker-src blob:`) === true),
      ['chat', 'runner'],
    );
    assert.equal(policyOf(write('runner')), `${closed}; worker-src blob:`);
    assert.equal(names.filter((name) => policyOf(write(name)) === closed).length, 6);
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
