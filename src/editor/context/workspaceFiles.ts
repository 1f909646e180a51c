import * as vscode from 'vscode';
import { toClientPath } from '../shared/clientUris.ts';

/** A large workspace is not listed whole: then what is typed is looked for. */
const maxListed = 5_000;
const maxFound = 300;
const keepMs = 5_000;
/** Nobody means what is in there. */
const skipped = '**/{node_modules,.git,.hg,.svn}/**';

interface Listing {
  readonly paths: readonly string[];
  readonly isWhole: boolean;
  readonly until: number;
}

/** Files of the workspace that may be meant by what is typed. What `files.exclude` hides is not offered. */
export class WorkspaceFiles {
  #listing: Listing | undefined;

  async find(query: string, signal: AbortSignal): Promise<readonly string[]> {
    const listing = await this.#list(signal);
    if (listing.isWhole || query === '') {
      return listing.paths;
    }
    const found = await findFiles(`**/${looseGlob(query)}`, maxFound, signal);
    return [...new Set([...found, ...listing.paths])];
  }

  async #list(signal: AbortSignal): Promise<Listing> {
    const now = performance.now();
    if (this.#listing === undefined || this.#listing.until < now) {
      const paths = await findFiles('**/*', maxListed, signal);
      signal.throwIfAborted(); // a search that was stopped knows only a part
      this.#listing = { paths, isWhole: paths.length < maxListed, until: now + keepMs };
    }
    return this.#listing;
  }
}

/** Of the paths, in the order of files: each folder once. */
export function foldersOf(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) {
        break;
      }
      folders.add(folder);
    }
  }
  return [...folders];
}

/** `ab` as `*[aA]*[bB]*`. */
function looseGlob(query: string): string {
  const letters = Array.from(query.slice(0, 40)).map((letter) => {
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
    return /[\p{L}\p{N}_.-]/u.test(letter) ? (lower === upper ? letter : `[${lower}${upper}]`) : '*';
  });
  return `*${letters.join('*')}*`;
}

async function findFiles(pattern: string, limit: number, signal: AbortSignal): Promise<readonly string[]> {
  const cancel = new vscode.CancellationTokenSource();
  const stop = (): void => cancel.cancel();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const uris = await vscode.workspace.findFiles(pattern, skipped, limit, cancel.token);
    return uris.map(toClientPath);
  } finally {
    signal.removeEventListener('abort', stop);
    cancel.dispose();
  }
}
