import * as path from 'node:path';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { installBridgeLauncher } from './bridgeLauncher.ts';
import type { EmbeddedServer } from './serverCore.ts';

export interface BridgeInstallation {
  readonly duplexHome: string;
  readonly extensionPath: string;
  readonly version: string;
  readonly log: Log;
}

/** Each time the server begins to listen, hosts find the command that reaches it where they were told. */
export function keepBridgeInstalled(server: EmbeddedServer, { duplexHome, extensionPath, version, log }: BridgeInstallation): Disposable {
  // In the extension host this is the editor's own program, or the Node of a remote server.
  const installation = { version, script: path.join(extensionPath, 'dist', 'stdioBridge.js'), runtime: process.execPath };
  return server.onDidChangeState(({ kind }) => {
    if (kind === 'listening') {
      installBridgeLauncher(duplexHome, installation).catch((error: unknown) => log.error('The bridge could not be installed.', error));
    }
  });
}
