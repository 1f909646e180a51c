import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type { DiscoveryFile } from '../../../src/contract/bridgeFiles.ts';
import { WindowLink } from '../../../src/bridge/windowLink.ts';
import { runServer, type RunningServer } from '../server/support/runningServer.ts';

const certificates = path.resolve(import.meta.dirname, '../host/transports/certificates');
const file = (name: string): string => path.join(certificates, name);
const certificate = { cert: readFileSync(file('client.pem')), key: readFileSync(file('client.key.pem')) };

describe('The link to a window with TLS', () => {
  let home: string;
  let running: RunningServer;
  let window: DiscoveryFile;

  async function open(tls: object): Promise<void> {
    home = await mkdtemp(path.join(tmpdir(), 'duplex-link-'));
    running = await runServer({ duplexHome: path.join(home, 'duplex'), tls });
    const folder = path.join(home, 'duplex', 'windows');
    const [name = ''] = await readdir(folder);
    window = JSON.parse(await readFile(path.join(folder, name), 'utf8')) as DiscoveryFile;
  }
  afterEach(async () => {
    await running.close();
    await rm(home, { recursive: true, force: true });
  });

  async function connect(different: Partial<DiscoveryFile> = {}, own?: typeof certificate): Promise<string> {
    const outcome = await WindowLink.open({ ...window, ...different }, { token: running.token, certificate: own, timeoutMs: 5_000 });
    if (outcome.kind !== 'open') {
      return outcome.kind === 'failed' ? outcome.reason : JSON.stringify(outcome);
    }
    const answer = new Promise<string>((resolve) => {
      outcome.link.listen({ text: resolve, closed: (code) => resolve(`closed ${code}`) });
    });
    outcome.link.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    const text = await answer;
    outcome.link.close();
    return text;
  }

  it('trusts exactly the certificate that the discovery file names', async () => {
    await open({ cert: file('server.pem'), key: file('server.key.pem') });
    assert.match(window.urls.ws, /^wss:/);
    assert.equal(await connect(), '{"jsonrpc":"2.0","id":1,"result":{}}');
    const colons = window.certificateSha256?.toUpperCase().replace(/(..)(?=.)/g, '$1:');
    assert.equal(await connect({ certificateSha256: colons }), '{"jsonrpc":"2.0","id":1,"result":{}}');
    const other = window.certificateSha256?.replace(/^./, (first) => (first === '0' ? '1' : '0'));
    assert.equal(await connect({ certificateSha256: other }), 'The certificate is not the one of this window.');
    assert.equal(await connect({ certificateSha256: '' }), 'The certificate is not the one of this window.');
  });

  it('shows a certificate of its own where one is asked for', async () => {
    await open({ cert: file('server.pem'), key: file('server.key.pem'), ca: file('ca.pem') });
    assert.equal(await connect({}, certificate), '{"jsonrpc":"2.0","id":1,"result":{}}');
    assert.match(await connect(), /certificate required|closed|hang up|ECONNRESET/i);
  });
});
