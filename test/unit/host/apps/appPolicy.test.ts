import assert from 'node:assert/strict';
import { maxPageLength, readAppPage } from '../../../../src/host/apps/appMeta.ts';
import { appOfTool } from '../../../../src/host/connection/toolList.ts';
import { appPolicy, isPublicSource } from '../../../../src/host/apps/appPolicy.ts';

const mimeType = 'text/html;profile=mcp-app';

describe('What a tool declares about its page', () => {
  it('is its address and who may call it, in the older form too, and nothing else', () => {
    const uri = 'ui://a/b';
    assert.deepEqual(appOfTool({ ui: { resourceUri: uri, csp: { connectDomains: ['https://x.example'] } } }), {
      uri,
      isForModel: true,
      isForApp: true,
    });
    assert.deepEqual(appOfTool({ 'ui/resourceUri': uri }), { uri, isForModel: true, isForApp: true });
    assert.deepEqual(appOfTool({ ui: { visibility: ['app'] } }), { uri: undefined, isForModel: false, isForApp: true });
    assert.deepEqual(appOfTool({ ui: { resourceUri: uri, visibility: ['model'] } }), { uri, isForModel: true, isForApp: false });
  });

  it('gives nobody a tool whose list of callers cannot be read, and no page outside of ui:', () => {
    assert.deepEqual(appOfTool({ ui: { visibility: 'model' } }), { uri: undefined, isForModel: false, isForApp: false });
    assert.equal(appOfTool({ ui: { resourceUri: 'https://a.example' } }), undefined);
    assert.equal(appOfTool({ ui: { resourceUri: 'file:///etc/passwd' } }), undefined);
    assert.equal(appOfTool(undefined), undefined);
  });
});

describe('The page of an app', () => {
  const uri = 'ui://a/b';
  const codeOf = (read: () => unknown): unknown => {
    try {
      return read();
    } catch (error) {
      return (error as { code: unknown }).code;
    }
  };

  it('is text or Base64 of exactly its type, and what it says of itself comes before what the list says', () => {
    const own = { uri, mimeType, text: '<p>', _meta: { ui: { csp: { connectDomains: ['https://a.example'] } } } };
    const listed = { ui: { csp: { connectDomains: ['https://b.example'] } } };
    assert.deepEqual(readAppPage(uri, [own], listed).declared.connect, ['https://a.example']);
    const blob = { uri, mimeType, blob: Buffer.from('<p>ü').toString('base64') };
    assert.deepEqual(
      [readAppPage(uri, [blob], listed).html, readAppPage(uri, [blob], listed).declared.connect],
      ['<p>ü', ['https://b.example']],
    );
  });

  it('is refused when it is missing, of another type, or too large to be whole', () => {
    assert.equal(
      codeOf(() => readAppPage(uri, [], undefined)),
      'host.appMissing',
    );
    assert.equal(
      codeOf(() => readAppPage(uri, [{ uri, mimeType: 'text/html', text: '<p>' }], undefined)),
      'host.appType',
    );
    assert.equal(
      codeOf(() => readAppPage(uri, [{ uri, mimeType: `${mimeType};x`, text: '<p>' }], undefined)),
      'host.appType',
    );
    const huge = { uri, mimeType, text: 'x'.repeat(maxPageLength + 1) };
    assert.equal(
      codeOf(() => readAppPage(uri, [huge], undefined)),
      'host.appTooLarge',
    );
  });
});

describe('The policy of an app', () => {
  it('is closed where nothing is declared', () => {
    assert.equal(
      appPolicy({ connect: [], resources: [], other: [] }).text,
      "default-src 'none'; script-src 'unsafe-inline' 'report-sample'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; connect-src 'none'; frame-src 'none'; worker-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'",
    );
  });

  it('opens only for declared public names, and never for frames, base addresses and devices', () => {
    const { text, connect, resources, refused } = appPolicy({
      connect: ['https://api.example.com', 'wss://live.example.com:8443', 'http://plain.example.com', 'https://10.0.0.1'],
      resources: ['https://*.cdn.example.com', "https://x.example'; script-src *"],
      other: ['https://frames.example.com', 'camera'],
    });
    assert.deepEqual(connect, ['https://api.example.com', 'wss://live.example.com:8443']);
    assert.deepEqual(resources, ['https://*.cdn.example.com']);
    assert.deepEqual(refused, [
      'http://plain.example.com',
      'https://10.0.0.1',
      "https://x.example'; script-src *",
      'https://frames.example.com',
      'camera',
    ]);
    assert.match(text, /connect-src https:\/\/api\.example\.com wss:\/\/live\.example\.com:8443; frame-src 'none'/);
    assert.match(text, /script-src 'unsafe-inline' 'report-sample' https:\/\/\*\.cdn\.example\.com;/);
    assert.doesNotMatch(text, /unsafe-eval|frames\.example|camera/);
  });

  it('knows no other way to write a source', () => {
    const refused = [
      '*',
      'https:',
      'https://*',
      'https://*.com',
      'https://a.*.example.com',
      'https://localhost',
      'https://localhost:3000',
      'https://app.localhost',
      'https://printer.local',
      'https://vault.internal',
      'https://127.0.0.1',
      'https://2130706433',
      'https://0x7f.1',
      'https://[::1]',
      'https://single',
      'https://a.example.com/path',
      'https://a.example.com?x',
      'https://user@a.example.com',
      'https://a.example.com:99999',
      'https://a.example.com ',
      'https://a.example.com;script-src *',
      'HTTPS://a.example.com',
      'https://ä.example.com',
      'https://-a.example.com',
      'https://a..example.com',
      'data:',
      'blob:',
      "'self'",
      "'unsafe-eval'",
      'wss://a.example.com',
      '',
    ];
    assert.deepEqual(
      refused.filter((source) => isPublicSource(source, ['https:'])),
      [],
    );
    assert.ok(
      ['https://a.example.com', 'https://*.a.example.com', 'https://xn--4ca.example:8443'].every((each) =>
        isPublicSource(each, ['https:']),
      ),
    );
  });
});
