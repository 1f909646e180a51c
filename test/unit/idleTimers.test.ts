import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { repositoryRoot } from '../support/run/repository.mjs';

/** A laptop that nobody uses must be able to sleep: what runs while nothing happens does so every ten seconds at most. */
const allowed: Readonly<Record<string, string>> = {
  'definitions/foreign/foundServers.ts': 'every 10 s, for folders that are not there yet',
  'host/features/callTimer.ts': 'while a call is under way',
  'platform/files/fileLock.ts': 'while a lock is held',
  'platform/files/lineBurst.ts': 'while lines follow each other closely',
  'platform/files/sharedFile.ts': 'where the system has no watch left',
  'platform/files/sharedFolderOnDisk.ts': 'every 10 s while a file is held, more often where the system has no watch left',
  'server/access/clientTokens.ts': 'every minute',
  'server/offer/tools/debug/debugShapes.ts': 'while a call waits for a program',
  'server/offer/tools/projectDiagnostics.ts': 'while files are checked',
  'server/offer/tools/runs.ts': 'while a tool works',
  'supervisor/main.ts': 'every 10 s',
};

describe('What runs again and again', () => {
  const src = path.join(repositoryRoot, 'src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('webview'))
    .map((file) => file.split(path.sep).join('/'));
  const textOf = (file: string): string => readFileSync(path.join(src, file), 'utf8');

  it('is known, and does not run more often than every ten seconds while nothing happens', () => {
    const repeating = files.filter((file) => /\bsetInterval\(|\bwatchFile\(/.test(textOf(file)));
    assert.deepEqual(repeating.sort(), Object.keys(allowed).sort());
  });

  it('has the interval that is written down here', () => {
    const constants: readonly (readonly [string, string, number])[] = [
      ['definitions/foreign/foundServers.ts', 'defaultPollMs', 10_000],
      ['platform/files/sharedFolderOnDisk.ts', 'signOfLifeMs', 10_000],
      ['supervisor/main.ts', 'parentCheckMs', 10_000],
      ['bridge/timings.ts', 'restingRetryDelay', 10_000],
      ['host/connection/health.ts', 'healthEveryMs', 10_000],
      ['host/transports/webSocketTransport.ts', 'pingEveryMs', 10_000],
    ];
    for (const [file, name, least] of constants) {
      const value = new RegExp(String.raw`${name}(?: =|:) ([\d_]+)[;,]`).exec(textOf(file))?.[1]?.replaceAll('_', '');
      assert.ok(Number(value) >= least, `${name} of ${file}: ${value ?? 'not found'}`);
    }
  });

  it('is not what the library of the language server does', () => {
    // It begins as it is loaded, unless it is not told of a process by then.
    assert.match(textOf('languageServer/main.ts'), /^import '\.\/parentWatch\.ts';/);
    assert.match(textOf('languageServer/parentWatch.ts'), /startsWith\('--clientProcessId'\)/);
  });
});
