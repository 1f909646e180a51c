import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../base/errors.ts';
import { ownFolder, writeOwnFile } from '../../platform/ownFiles.ts';
import { launcherFormat, launcherText } from './bridgeLauncherText.ts';

export interface Installation {
  /** Of the extension. */
  readonly version: string;
  /** The extension's `dist/stdioBridge.js`. */
  readonly script: string;
  /** What runs it: the editor's own program, which acts as Node when told to, or the Node of a remote server. */
  readonly runtime: string;
}

/** What hosts that launch commands are told to launch; it stays the same across updates. */
export function bridgeLauncherPath(duplexHome: string, platform: NodeJS.Platform = process.platform): string {
  return join(duplexHome, 'bin', platform === 'win32' ? 'duplex-bridge.cmd' : 'duplex-bridge');
}

/**
 * Leaves the launcher and a note of this installation in `DUPLEX_HOME/bin`. Each installation has a note of its own, named
 * so that the newest version sorts last: windows of several versions never undo each other's work.
 */
export async function installBridgeLauncher(
  duplexHome: string,
  installation: Installation,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  const bin = join(duplexHome, 'bin');
  const notes = join(bin, 'installations');
  for (const folder of [duplexHome, bin, notes]) {
    await ownFolder(folder);
  }
  await writeIfDifferent(join(notes, noteName(installation)), `${installation.script}\n${installation.runtime}\n`, 0o600);
  const launcher = bridgeLauncherPath(duplexHome, platform);
  const current = await readIfThere(launcher);
  if (current === undefined || formatOf(current) <= launcherFormat) {
    await writeIfDifferent(launcher, launcherText(notes, duplexHome, platform), 0o700);
  }
}

/** `000001.000002.000003-…`: compared as text, versions are in order. */
function noteName({ version, script, runtime }: Installation): string {
  const numbers = version.split(/[.+-]/).slice(0, 3);
  const padded = numbers.map((part) => part.replace(/\D/g, '').padStart(6, '0')).join('.');
  const digest = createHash('sha256').update(`${script}\n${runtime}`).digest('hex').slice(0, 12);
  return `${padded}-${digest}`;
}

function formatOf(text: string): number {
  return Number(/Duplex bridge launcher, format (\d+)/.exec(text)?.[1] ?? 0);
}

async function writeIfDifferent(path: string, text: string, mode: number): Promise<void> {
  if ((await readIfThere(path)) !== text) {
    await writeOwnFile(path, text, mode);
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      return undefined;
    }
    throw error;
  }
}
