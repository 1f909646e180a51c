import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type { JsonObject } from '../../../../src/base/json.ts';
import { runServer, type RunningServer } from '../../server/support/runningServer.ts';
import { BridgePeer, buildBridge, type BuiltBridge } from './bridgePeer.ts';

/** The built bridge, hosts that launch it in a folder of the running test, and windows that it can find. */
export interface BridgeBench {
  readonly bridge: BuiltBridge;
  readonly folder: string;
  launch(args?: readonly string[], env?: Readonly<Record<string, string>>): BridgePeer;
  /** With this workspace folder, or the stand-in editor's own. */
  openWindow(options?: Parameters<typeof runServer>[0], workspace?: string): Promise<RunningServer>;
  closeWindow(server: RunningServer): Promise<void>;
}

/** For all tests of the surrounding `describe`; what a test opened is closed after it. */
export function useBridge(): () => BridgeBench {
  let bridge: BuiltBridge;
  let folder: string;
  let peers: BridgePeer[] = [];
  let servers: RunningServer[] = [];
  before(async () => {
    bridge = await buildBridge();
  });
  after(() => bridge.remove());
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'duplex-relay-')));
  });
  afterEach(async () => {
    await Promise.all(peers.map((peer) => peer.close()));
    await Promise.all(servers.map((server) => server.close()));
    peers = [];
    servers = [];
    await rm(folder, { recursive: true, force: true });
  });
  const home = (): string => path.join(folder, 'home');
  return () => ({
    bridge,
    folder,
    launch: (args = [], env = {}) => {
      const peer = new BridgePeer({ script: bridge.script, home: home(), cwd: folder, args, env });
      peers.push(peer);
      return peer;
    },
    openWindow: async (options = {}, workspace) => {
      const server = await runServer({ duplexHome: home(), ...options });
      servers.push(server);
      if (workspace !== undefined) {
        server.editor.folders = [{ name: path.basename(workspace), path: workspace, uri: `file://${workspace}`, index: 0 }];
        server.editor.didChangeWorkspaceFolders.fire();
      }
      return server;
    },
    closeWindow: async (server) => {
      servers = servers.filter((other) => other !== server);
      await server.close();
    },
  });
}

export const textOf = ({ result }: JsonObject): string => (result as unknown as { content: { text: string }[] }).content[0]?.text ?? '';
/** Before 2025-06-18 it is the text. */
export const answerOf = (message: JsonObject): unknown =>
  (message.result as JsonObject).structuredContent ?? (JSON.parse(textOf(message)) as unknown);
export const isError = ({ result }: JsonObject): boolean => (result as { isError?: boolean } | undefined)?.isError === true;
