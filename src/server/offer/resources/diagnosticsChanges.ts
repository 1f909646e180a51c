import { setTimeout as sleep } from 'node:timers/promises';
import type { Event } from '../../../base/events.ts';
import { pathNames } from '../../access/policyPaths.ts';
import type { EditorPort } from '../../seen/ports/editorPort.ts';

/** How long, in ms, after an event the problems of a file are looked at: several events come from one change. */
const burstMs = 250;
/** How long, in ms, a look waits for a language service that has not spoken of the changed text yet. */
const reportMs = 3_000;
/** The most problems of a file that are compared; of more, their number. */
const maxCompared = 1_000;

/**
 * Fires once for each change of a file's problems. For one change VS Code tells several times of a file with a tab. Of a closed
 * file it tells that the file changed, and of problems only after somebody has read it, which is no change. So every event is a
 * reason to look, and only what differs from the last look is told.
 */
export function diagnosticsChanges(path: string, editor: EditorPort): Event<void> {
  const names = new Set(pathNames(() => editor.listWorkspaceFolders())(path));
  return (listener) => {
    const following = new FollowedDiagnostics(path, editor, listener);
    const texts = editor.documents.changesOf(path)(() => following.lookAgain());
    const reports = editor.onDidChangeDiagnostics((paths) => {
      if (paths === undefined || paths.some((changed) => names.has(changed))) {
        following.lookAgain();
      }
    });
    following.begin();
    return {
      dispose: () => {
        texts.dispose();
        reports.dispose();
        following.dispose();
      },
    };
  };
}

class FollowedDiagnostics {
  readonly #path: string;
  readonly #editor: EditorPort;
  readonly #tell: () => void;
  readonly #over = new AbortController();
  /** What the last look saw; nothing before the first. */
  #seen: string | undefined;
  #isLooking = false;
  #isAgain = false;

  constructor(path: string, editor: EditorPort, tell: () => void) {
    this.#path = path;
    this.#editor = editor;
    this.#tell = tell;
  }

  /** Looks for the first time, which takes a while: a file that changes meanwhile is told of, whatever the look saw. */
  begin(): void {
    const { documents } = this.#editor;
    const state = documents.stateOf(this.#path);
    this.#isLooking = true;
    void this.#look().then((seen) => {
      this.#isLooking = false;
      const isSame = documents.stateOf(this.#path) === state;
      this.#seen = isSame ? seen : undefined;
      if (!isSame || this.#isAgain) {
        this.lookAgain();
      }
    });
  }

  lookAgain(): void {
    this.#isAgain = true;
    if (!this.#isLooking) {
      void this.#lookWhileAsked();
    }
  }

  dispose(): void {
    this.#over.abort();
  }

  #isOver(): boolean {
    return this.#over.signal.aborted;
  }

  async #lookWhileAsked(): Promise<void> {
    this.#isLooking = true;
    while (this.#isAgain && !this.#isOver()) {
      await sleep(burstMs, undefined, { signal: this.#over.signal }).catch(() => undefined);
      this.#isAgain = false;
      const now = this.#isOver() ? this.#seen : await this.#look();
      if (now !== this.#seen && !this.#isOver()) {
        this.#seen = now;
        this.#tell();
      }
    }
    this.#isLooking = false;
  }

  async #look(): Promise<string> {
    try {
      const query = { path: this.#path, waitMs: reportMs, limit: maxCompared };
      const { diagnostics, total, documents } = await this.#editor.getDiagnostics(query, this.#over.signal);
      return JSON.stringify([diagnostics, total, documents]);
    } catch {
      return 'none'; // there is no such file now, or the look was stopped
    }
  }
}
