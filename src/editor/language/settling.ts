import * as vscode from 'vscode';
import { atMost, pause } from '../../base/abort.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';

/** No report for this long counts as settled: language services report in bursts. */
const quietMs = 500;

/** For a document that changed and about which nothing was reported since: most never hear that it is still without problems. */
const silentMs = 2_000;

/** The most documents whose services are asked whether they are still busy. */
const maxProbed = 3;

/** No language service speaks of these, and some of them change all the time. */
const otherSchemes: ReadonlySet<string> = new Set(['output', 'log', 'vscode-log', 'git', 'comment', 'debug', 'vscode-terminal']);

/** Whether the language services have said what they have to say about the documents as they are now. */
export class Settling implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #changedAt = new Map<string, number>();
  #lastActivity = -Infinity;

  constructor() {
    const { workspace, languages } = vscode;
    this.#lifetime.add(workspace.onDidOpenTextDocument((document) => this.#didChange(document)));
    this.#lifetime.add(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) {
          this.#didChange(document);
        }
      }),
    );
    this.#lifetime.add(workspace.onDidCloseTextDocument(({ uri }) => this.#changedAt.delete(uri.toString())));
    this.#lifetime.add(
      languages.onDidChangeDiagnostics(({ uris }) => {
        this.#lastActivity = performance.now();
        for (const uri of uris) {
          this.#changedAt.delete(uri.toString());
        }
      }),
    );
  }

  /** About one document, or about all of them. */
  async wait(only: vscode.Uri | undefined, waitMs: number, signal: AbortSignal): Promise<boolean> {
    const deadline = performance.now() + waitMs;
    let probe = waitMs > 0 ? this.#probe(only) : undefined;
    void probe?.then(() => {
      probe = undefined;
      this.#lastActivity = Math.max(this.#lastActivity, performance.now() - quietMs / 2); // their reports follow their answers
    });
    for (;;) {
      const now = performance.now();
      const quietIn = this.#quietIn(only, now);
      const isSettled = quietIn <= 0 && probe === undefined;
      if (isSettled || now >= deadline) {
        return isSettled;
      }
      if (probe === undefined) {
        await pause(systemClock, Math.min(quietIn, deadline - now), signal);
      } else {
        await atMost(probe, deadline - now, signal);
      }
    }
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #didChange({ uri, languageId }: vscode.TextDocument): void {
    if (!otherSchemes.has(uri.scheme) && languageId !== 'plaintext') {
      this.#lastActivity = performance.now();
      this.#changedAt.set(uri.toString(), this.#lastActivity);
    }
  }

  #quietIn(only: vscode.Uri | undefined, now: number): number {
    const silentSince = Math.max(-Infinity, ...this.#waitingFor(only).map((uri) => this.#changedAt.get(uri) ?? -Infinity));
    return Math.max(this.#lastActivity + quietMs, silentSince + silentMs) - now;
  }

  #waitingFor(only: vscode.Uri | undefined): string[] {
    const uris = only === undefined ? [...this.#changedAt.keys()] : [only.toString()];
    return uris.filter((uri) => this.#changedAt.has(uri));
  }

  /** A service that is still loading answers late: that tells it from one with nothing to report. */
  #probe(only: vscode.Uri | undefined): Promise<unknown> | undefined {
    const silent = this.#waitingFor(only).slice(-maxProbed);
    const ask = (uri: string): Thenable<unknown> =>
      vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', vscode.Uri.parse(uri, true));
    return silent.length === 0 ? undefined : Promise.allSettled(silent.map(ask));
  }
}
