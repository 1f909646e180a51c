import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Emitter } from '../../../../src/base/events.ts';
import { silentLog } from '../../../../src/base/log.ts';
import type { Role } from '../../../../src/contract/questions/rolesAndClaims.ts';
import type { ClientApproval } from '../../../../src/server/access/clientApproval.ts';
import { withOfferedServers } from '../../../../src/server/offer/offered/offeredCatalog.ts';
import type { OfferedServersPort } from '../../../../src/server/offer/offered/offeredPort.ts';
import { createServerCore } from '../../../../src/server/window/serverCore.ts';
import { hashToken } from '../../../../src/server/access/credentials.ts';
import { createFixtureCatalog } from './fixtureCatalog.ts';
import { startHeaderProxy } from './headerProxy.ts';

export interface FixtureServer {
  readonly url: string;
  close(): Promise<void>;
}

const clientToken = 'token-of-the-suite';

/** A person who lets the suite in and is asked nothing else: no tool of the fixture acts. */
const approvalOf = (role: Role): ClientApproval => ({
  ask: () => Promise.resolve({ kind: 'allowed', role }),
  confirm: () => Promise.resolve('denied'),
  confirmOwn: () => Promise.resolve('denied'),
  raiseRole: () => Promise.resolve('denied'),
});

/**
 * Duplex's own listener, transports and sessions, with the suite's tools instead of the editor's. With `offered`, the suite is a client
 * that the person made a runner, and sees these servers too.
 */
export async function startFixtureServer(offered?: OfferedServersPort): Promise<FixtureServer> {
  const proxy = await startHeaderProxy();
  const home = await mkdtemp(path.join(tmpdir(), 'duplex-conformance-'));
  const server = createServerCore({
    catalog: offered === undefined ? createFixtureCatalog() : withOfferedServers(createFixtureCatalog(), offered),
    approval: approvalOf(offered === undefined ? 'reader' : 'runner'),
    log: silentLog,
    version: '1.0.0',
    windowName: 'conformance',
    duplexHome: path.join(home, 'duplex'),
    folders: { list: () => [], onDidChange: new Emitter<void>().event },
  });
  const admitted = server.credentials.admit(hashToken(clientToken), { id: 'suite', kind: 'clientToken' });
  const origin = `localhost:${proxy.port}`;
  const state = await server.start({ allowedOrigins: [`http://${origin}`] });
  if (state.kind !== 'listening' || server.windowToken === undefined) {
    throw new Error(`The server did not start: ${JSON.stringify(state)}`);
  }
  proxy.forwardTo(state.port, offered === undefined ? server.windowToken : clientToken);
  return {
    url: `http://${origin}/mcp`,
    close: async () => {
      admitted.dispose();
      await server.stop();
      server.dispose();
      await proxy.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
