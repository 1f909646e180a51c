import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter } from '../../../../src/base/events.ts';
import type { Disposable } from '../../../../src/base/lifecycle.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { hashToken } from '../../../../src/server/access/credentials.ts';
import {
  createServerCore,
  type EmbeddedServer,
  type ListenOptions,
  type ServerCoreOptions,
} from '../../../../src/server/window/serverCore.ts';
import { allowReader, FakeApproval } from './fakePorts.ts';
import { HttpPeer } from './httpPeer.ts';
import { ProtocolCatalog } from './protocolCatalog.ts';

export interface RunningCore {
  readonly server: EmbeddedServer;
  readonly catalog: ProtocolCatalog;
  readonly approval: FakeApproval;
  readonly port: number;
  readonly token: string;
  peer(token?: string): HttpPeer;
  /** Admits a second credential and returns its token. */
  otherToken(): string;
  close(): Promise<void>;
}

type Overrides = Partial<Omit<ServerCoreOptions, 'catalog' | 'approval'>> & ListenOptions & { readonly approval?: FakeApproval };

/** A real server on a real port with a catalog made for tests: everything but the editor. */
export async function runCore({ approval = new FakeApproval(allowReader), ...overrides }: Overrides = {}): Promise<RunningCore> {
  const catalog = new ProtocolCatalog();
  const home = await mkdtemp(join(tmpdir(), 'duplex-core-'));
  const folders = { list: () => [], onDidChange: new Emitter<void>().event };
  const options = { log: silentLog, version: '1.2.3', windowName: 'demo', duplexHome: join(home, 'duplex'), folders, ...overrides };
  const server = createServerCore({ ...options, catalog, approval });
  const state = await server.start();
  const token = server.windowToken;
  if (state.kind !== 'listening' || token === undefined) {
    throw new Error(`The server did not start: ${JSON.stringify(state)}`);
  }
  const peers: HttpPeer[] = [];
  const admitted: Disposable[] = [];
  return {
    server,
    catalog,
    approval,
    port: state.port,
    token,
    peer: (own = token) => {
      const peer = new HttpPeer(state.port, own);
      peers.push(peer);
      return peer;
    },
    otherToken: () => {
      const other = `other-token-${admitted.length}`;
      admitted.push(server.credentials.admit(hashToken(other), { id: `client-${admitted.length}`, kind: 'clientToken' }));
      return other;
    },
    close: async () => {
      peers.forEach((peer) => peer.close());
      admitted.forEach((credential) => credential.dispose());
      await server.stop();
      server.dispose();
      await rm(home, { recursive: true, force: true });
    },
  };
}
