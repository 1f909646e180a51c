import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { join } from 'node:path';
import { hasCode } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { ownFolder, writeOwnFile } from '../../platform/files/ownFiles.ts';
import type { EmbeddedServer } from './serverCore.ts';

export interface BridgeInstallation {
  readonly duplexHome: string;
  readonly extensionPath: string;
  readonly version: string;
  readonly log: Log;
}

/** Installs the launcher each time the server begins to listen, so that hosts find it where they were told. */
export function keepBridgeInstalled(server: EmbeddedServer, { duplexHome, extensionPath, version, log }: BridgeInstallation): Disposable {
  // `process.execPath` is the editor's own program, or the Node of a remote server.
  const installation = { version, script: path.join(extensionPath, 'dist', 'stdioBridge.js'), runtime: process.execPath };
  return server.onDidChangeState(({ kind }) => {
    if (kind === 'listening') {
      installBridgeLauncher(duplexHome, installation).catch((error: unknown) => log.error('The bridge could not be installed.', error));
    }
  });
}

export interface Installation {
  /** The version of the extension. */
  readonly version: string;
  /** The path of the extension's `dist/stdioBridge.js`. */
  readonly script: string;
  /** The program that runs the script: the editor's own, which can act as Node, or the Node of a remote server. */
  readonly runtime: string;
}

/** The command that hosts are told to launch; it stays the same across updates. */
export function bridgeLauncherPath(duplexHome: string, platform: NodeJS.Platform = process.platform): string {
  return join(duplexHome, 'bin', platform === 'win32' ? 'duplex-bridge.cmd' : 'duplex-bridge');
}

/**
 * Writes the launcher and a note about this installation to `DUPLEX_HOME/bin`. Each installation has its own note, named so that
 * the newest version sorts last: windows of several versions never undo each other's work.
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

/** The name of a note, as in `000001.000002.000003-…`: compared as text, versions are in order. */
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

/** The format of the launcher. It rises when the text below changes in a way that an older Duplex must not undo. */
const launcherFormat = 1;

const title = `Duplex bridge launcher, format ${launcherFormat}`;
const nothingLeft = 'duplex-bridge: no installation of Duplex was found. Open VS Code with the Duplex extension once, then try again.';

/** The launcher as a script for the system's own shell: it has to outlive every version of the extension. */
export function launcherText(notes: string, duplexHome: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? windowsText(notes, duplexHome) : posixText(notes, duplexHome);
}

/** The script for POSIX sh; `/bin/sh` is dash on many systems. */
function posixText(notes: string, duplexHome: string): string {
  return `#!/bin/sh
# ${title}
# Written by the Duplex extension of VS Code; changes are overwritten.
# Runs the bridge of the newest Duplex that is still installed, with the runtime that came with its VS Code.
notes=${quoted(notes)}
script=
runtime=
for note in "$notes"/*; do
  [ -f "$note" ] || continue
  note_script=
  note_runtime=
  { IFS= read -r note_script; IFS= read -r note_runtime; } <"$note" || continue
  if [ -f "$note_script" ] && [ -x "$note_runtime" ]; then
    script=$note_script
    runtime=$note_runtime
  fi
done
if [ -z "$script" ]; then
  echo ${quoted(nothingLeft)} >&2
  exit 1
fi
DUPLEX_HOME=${quoted(duplexHome)}
ELECTRON_RUN_AS_NODE=1
export DUPLEX_HOME ELECTRON_RUN_AS_NODE
exec "$runtime" "$script" "$@"
`;
}

/** Quotes a text for sh: within single quotes everything but a single quote stands for itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The batch file for Windows. Batch files are read in the code page of the console, so that is set to UTF-8 first. */
function windowsText(notes: string, duplexHome: string): string {
  const lines = [
    '@echo off',
    `rem ${title}`,
    'rem Written by the Duplex extension of VS Code; changes are overwritten.',
    'setlocal DisableDelayedExpansion',
    'chcp 65001 >nul 2>nul',
    `set "notes=${escaped(notes)}"`,
    'set "script="',
    'set "runtime="',
    'for /f "delims=" %%N in (\'dir /b /a-d /o:n "%notes%" 2^>nul\') do call :consider "%%N"',
    'if not defined script (',
    `  echo ${nothingLeft.replaceAll(',', '^,')} 1>&2`,
    '  exit /b 1',
    ')',
    `set "DUPLEX_HOME=${escaped(duplexHome)}"`,
    'set "ELECTRON_RUN_AS_NODE=1"',
    '"%runtime%" "%script%" %*',
    'exit /b %errorlevel%',
    ':consider',
    'set "noteScript="',
    'set "noteRuntime="',
    '( set /p "noteScript=" & set /p "noteRuntime=" ) < "%notes%\\%~1"',
    'if not defined noteScript exit /b 0',
    'if not defined noteRuntime exit /b 0',
    'if not exist "%noteScript%" exit /b 0',
    'if not exist "%noteRuntime%" exit /b 0',
    'set "script=%noteScript%"',
    'set "runtime=%noteRuntime%"',
    'exit /b 0',
  ];
  return `${lines.join('\r\n')}\r\n`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%%');
}
