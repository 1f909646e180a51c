import assert from 'node:assert/strict';
import { dataAddress, disguisedHost, openableHref } from '../../../../src/webview/shared/linkPolicy.ts';

describe('The link policy of the pages', () => {
  it('opens web and mail addresses only', () => {
    assert.deepEqual(
      [
        'https://example.com/a?b=1',
        'http://localhost:3000',
        'mailto:me@example.com',
        'ftp://x.example',
        'command:x',
        'vscode:x',
        'x.md',
      ].map(openableHref),
      ['https://example.com/a?b=1', 'http://localhost:3000/', 'mailto:me@example.com', undefined, undefined, undefined, undefined],
    );
  });

  it('refuses addresses with credentials, with invisible characters, or longer than a message may be', () => {
    assert.equal(openableHref('https://user:password@example.com'), undefined);
    assert.equal(openableHref('https://example.com/\u200Bx'), undefined);
    assert.equal(openableHref(`https://example.com/${'x'.repeat(9000)}`), undefined);
    assert.equal(openableHref(`https://example.com/${'ü'.repeat(3000)}`), undefined);
  });

  it('names the host only when the text is an address of another one', () => {
    assert.equal(disguisedHost('bank.example', 'https://evil.example/'), 'evil.example');
    assert.equal(disguisedHost('https://bank.example/login', 'https://bank.example.evil.example/'), 'bank.example.evil.example');
    assert.equal(disguisedHost('www.example.com/docs', 'https://example.com/docs'), undefined);
    assert.equal(disguisedHost('the docs', 'https://example.com/docs'), undefined);
  });

  it('shows images and sounds from plain base64, and no SVG', () => {
    assert.equal(dataAddress('image', 'image/png', 'AAAA'), 'data:image/png;base64,AAAA');
    assert.equal(dataAddress('audio', 'audio/wav', 'AA=='), 'data:audio/wav;base64,AA==');
    assert.equal(dataAddress('image', 'image/svg+xml', 'AAAA'), undefined);
    assert.equal(dataAddress('image', 'text/html', 'AAAA'), undefined);
    assert.equal(dataAddress('image', 'image/png', 'AAAA" onerror="x'), undefined);
    assert.equal(dataAddress('audio', 'audio/wav;x', 'AAAA'), undefined);
  });
});
