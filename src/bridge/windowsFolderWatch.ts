import { watch } from 'node:fs';
import * as path from 'node:path';

export interface WindowsFolderWatch {
  /** Resolves once something has changed where windows say that they are there; never where that cannot be watched. */
  readonly changed: Promise<void>;
  close(): void;
}

/** Only a hint to look again: what is there is believed by nobody for that. */
export function watchWindowsFolder(home: string): WindowsFolderWatch {
  let tell: () => void = () => undefined;
  const changed = new Promise<void>((resolve) => (tell = resolve));
  // Before the first window there is no folder of theirs yet, and its coming is such a change.
  for (const folder of [path.join(home, 'windows'), home]) {
    try {
      // A file that comes or goes, and no more: on some systems to read one is a change, too.
      const watcher = watch(folder, { persistent: false }, (kind) => kind === 'rename' && tell());
      watcher.on('error', () => watcher.close());
      return { changed, close: () => watcher.close() };
    } catch {
      // Not there, or the system has no watch left.
    }
  }
  return { changed, close: () => undefined };
}
