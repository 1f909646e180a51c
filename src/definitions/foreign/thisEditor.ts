import * as path from 'node:path';
import { isLoopbackHost } from '../../base/addresses.ts';
import { isInsideFolder } from '../../platform/paths/pathReach.ts';
import type { ServerDefinition } from '../serverDefinition.ts';

/** Where this window's own server can be reached. */
export interface OwnAddresses {
  /** The port of the embedded server; undefined while it does not listen. */
  readonly port: number | undefined;
  readonly folders: readonly string[];
}

const bridgeNames = ['duplex-bridge', 'duplex-bridge.cmd', 'stdioBridge.js'];

/** Whether a configured server is this editor itself. It would talk to itself, and is there already under the name `editor`. */
export function isThisEditor(definition: ServerDefinition, own: OwnAddresses): boolean {
  if (definition.kind === 'remote') {
    return own.port !== undefined && isOwnAddress(definition.raw.url, own.port);
  }
  const { command, args = [] } = definition.raw;
  return [command, ...args].some(isBridge) && isOwnWorkspace(args, own.folders);
}

function isOwnAddress(url: string, port: number): boolean {
  if (!URL.canParse(url)) {
    return false;
  }
  const { protocol, hostname, port: given } = new URL(url);
  const standard = protocol === 'https:' || protocol === 'wss:' ? '443' : '80';
  return isLoopbackHost(hostname) && (given === '' ? standard : given) === String(port);
}

/** Whether a word of a command line is the bridge to an editor with Duplex. */
export function isBridge(word: string): boolean {
  return bridgeNames.includes(word.split(/[\\/]/).at(-1) ?? '');
}

/** A bridge to another window's workspace is another editor. */
function isOwnWorkspace(args: readonly string[], folders: readonly string[]): boolean {
  const flag = args.indexOf('--workspace');
  const joined = args.find((arg) => arg.startsWith('--workspace='))?.slice('--workspace='.length);
  const wanted = joined ?? (flag === -1 ? undefined : args[flag + 1]);
  return wanted === undefined || !path.isAbsolute(wanted) || folders.some((folder) => isInsideFolder(wanted, folder));
}
