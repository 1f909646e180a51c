import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { diskReader, type SearchEngine, type SearchRoot } from '../../../../src/editor/workspace/search/searchEngine.ts';
import { createRipgrepEngine, findRipgrep } from '../../../../src/editor/workspace/search/ripgrep.ts';
import { createScriptEngine } from '../../../../src/editor/workspace/search/scriptEngine.ts';
import type { FileQuery, TextQuery } from '../../../../src/server/seen/ports/workspacePort.ts';
import { cacheFolder } from '../../../support/run/cacheFolder.mjs';
import { workThread } from '../../../support/workThread.ts';

/** A folder on the real disk, with these files. */
export class SearchFolder {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'duplex-search-')));

  constructor(files: Readonly<Record<string, string | Buffer>> = {}) {
    for (const [name, content] of Object.entries(files)) {
      this.write(name, content);
    }
  }

  write(name: string, content: string | Buffer): void {
    mkdirSync(dirname(join(this.path, name)), { recursive: true });
    writeFileSync(join(this.path, name), content);
  }

  root(prefix = ''): SearchRoot {
    return { prefix, path: this.path, reader: diskReader(this.path) };
  }

  git(...args: string[]): string {
    const identity = [
      '-c',
      'user.name=Ada',
      '-c',
      'user.email=ada@example.org',
      '-c',
      'init.defaultBranch=main',
      '-c',
      'commit.gpgSign=false',
    ];
    return execFileSync('git', [...identity, ...args], { cwd: this.path, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** The one in JavaScript, and ripgrep wherever a VS Code for tests with one is installed. */
export function searchEngines(): (readonly [string, SearchEngine])[] {
  const script = createScriptEngine(workThread);
  const program = installedRipgrep();
  return [['JavaScript', script], ...(program === undefined ? [] : [['ripgrep', createRipgrepEngine(program, script)] as const])];
}

function installedRipgrep(): string | undefined {
  const cache = cacheFolder();
  const versions = existsSync(cache) ? readdirSync(cache).filter((name) => name.startsWith('vscode-')) : [];
  return versions
    .map((name) => findRipgrep(join(cache, name, 'node_modules', 'code-server', 'lib', 'vscode')))
    .find((program) => program !== undefined);
}

export const neverAborted = new AbortController().signal;

export function fileQuery(pattern: string, changes: Partial<FileQuery> = {}): FileQuery {
  return { pattern, includeIgnored: false, limit: 200, ...changes };
}

export function textQuery(query: string, changes: Partial<TextQuery> = {}): TextQuery {
  return { query, isRegex: false, isCaseSensitive: false, includeIgnored: false, limit: 200, ...changes };
}
