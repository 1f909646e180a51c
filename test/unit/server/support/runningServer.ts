import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Disposable } from '../../../../src/base/lifecycle.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { readSetting } from '../../../../src/contract/settings/readSetting.ts';
import { createEmbeddedServer, type EmbeddedServerOptions } from '../../../../src/server/embeddedServer.ts';
import type { ClientApproval } from '../../../../src/server/access/clientApproval.ts';
import type { EmbeddedServer, ListenOptions } from '../../../../src/server/window/serverCore.ts';
import { hashToken } from '../../../../src/server/access/credentials.ts';
import { allowReader, FakeApproval, FakeEditor } from './fakePorts.ts';
import { HttpPeer } from './httpPeer.ts';

export interface RunningServer {
  readonly server: EmbeddedServer;
  readonly editor: FakeEditor;
  readonly approval: FakeApproval;
  readonly port: number;
  readonly token: string;
  readonly home: string;
  /** A fresh client with the window's token, or another one. */
  peer(token?: string): HttpPeer;
  /** Admits a second credential and returns its token. */
  otherToken(): string;
  close(): Promise<void>;
}

type Overrides = Partial<Omit<EmbeddedServerOptions, 'editor' | 'approval'>> &
  Omit<ListenOptions, 'tls'> & {
    readonly approval?: FakeApproval;
    readonly person?: ClientApproval;
    /** `duplex.server.tls` as it would stand in the settings. */
    readonly tls?: unknown;
  };

/** A real server on a real port, with a stand-in editor and a person who allows everything unless told otherwise. */
export async function runServer({
  approval = new FakeApproval(allowReader),
  person,
  ...overrides
}: Overrides = {}): Promise<RunningServer> {
  const editor = new FakeEditor();
  const home = await mkdtemp(join(tmpdir(), 'duplex-server-'));
  const options = { log: silentLog, version: '1.2.3', windowName: 'demo', duplexHome: join(home, 'duplex'), ...overrides };
  const server = createEmbeddedServer({ ...options, editor, approval: person ?? approval });
  const tls = readSetting('duplex.server.tls', overrides.tls);
  const state = await server.start({ port: overrides.port, allowedOrigins: overrides.allowedOrigins, tls });
  const token = server.windowToken;
  if (state.kind !== 'listening' || token === undefined) {
    throw new Error(`The server did not start: ${JSON.stringify(state)}`);
  }
  const peers: HttpPeer[] = [];
  const admitted: Disposable[] = [];
  let others = 0;
  return {
    server,
    editor,
    approval,
    port: state.port,
    token,
    home: options.duplexHome,
    peer: (own = token) => {
      const peer = new HttpPeer(state.port, own);
      peers.push(peer);
      return peer;
    },
    otherToken: () => {
      const other = `other-token-${(others += 1)}`;
      admitted.push(server.credentials.admit(hashToken(other), { id: `client-${others}`, kind: 'clientToken' }));
      return other;
    },
    close: async () => {
      for (const peer of peers) {
        peer.close();
      }
      for (const credential of admitted) {
        credential.dispose();
      }
      await server.stop();
      server.dispose();
      await rm(home, { recursive: true, force: true });
    },
  };
}
