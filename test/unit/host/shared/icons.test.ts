import assert from 'node:assert/strict';
import { silentLog } from '../../../../src/base/log.ts';
import { readIcons } from '../../../../src/host/shared/icons.ts';
import { readTools } from '../../../../src/host/connection/toolList.ts';

const origin = 'https://tools.example';
const png = 'data:image/png;base64,iVBORw0KGgo=';
const sources = (raw: unknown, from: string | undefined = origin): string[] => readIcons(raw, from).map(({ src }) => src);

describe('Icons of a server', () => {
  it('are kept when they hold the picture or come from the server itself over https', () => {
    const icon = { src: `${origin}/icon.png`, mimeType: 'image/png', sizes: ['48x48', 'any'], theme: 'dark' };
    assert.deepEqual(readIcons([icon, { src: png }], origin), [icon, { src: png }]);
  });

  it('from anywhere else are dropped', () => {
    const elsewhere = [
      'https://tracker.example/icon.png',
      'https://tools.example.evil.example/icon.png',
      'https://tools.example:8443/icon.png',
      'https://me:secret@tools.example/icon.png',
      'http://tools.example/icon.png',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'command:workbench.action.quit',
      '/icon.png',
      '',
    ];
    assert.deepEqual(sources(elsewhere.map((src) => ({ src }))), []);
  });

  it('of a local program are only those that hold the picture', () => {
    assert.deepEqual(readIcons([{ src: `${origin}/icon.png` }, { src: png }], undefined), [{ src: png }]);
  });

  it('are small, and what is no icon is none', () => {
    assert.deepEqual(sources([{ src: `data:image/png;base64,${'A'.repeat(70_000)}` }, 7, null, { src: 5 }, {}]), []);
    assert.deepEqual(sources('icons'), []);
    assert.deepEqual(readIcons([{ src: png, mimeType: 'text/html', sizes: ['big', 4], theme: 'pink' }], origin), [{ src: png }]);
  });

  it('of a tool come with the tool', () => {
    const raw = [
      { name: 'a', icons: [{ src: png }, { src: `${origin}/a.png` }] },
      { name: 'b', icons: [{ src: 'http://x/' }] },
    ];
    assert.deepEqual(
      readTools(raw, undefined, silentLog, origin).map(({ icons }) => icons),
      [[{ src: png }, { src: `${origin}/a.png` }], undefined],
    );
  });
});
