import * as vscode from 'vscode';
import { isAbort } from '../base/errors.ts';

/** Quicker work than this shows nothing: a notification that only flashes tells nobody anything. */
const patienceMs = 400;

/** Work that may take long: then a notification says so, with a way to cancel. What was cancelled is no failure; it resolves to nothing. */
export async function withPatience<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
  const cancel = new AbortController();
  const working = work(cancel.signal);
  const over = working.then(
    () => undefined,
    () => undefined,
  );
  const timer = setTimeout(() => {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, (_, token) => {
      token.onCancellationRequested(() => cancel.abort());
      return over;
    });
  }, patienceMs);
  try {
    return await working;
  } catch (error) {
    if (cancel.signal.aborted && isAbort(error)) {
      return undefined;
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
