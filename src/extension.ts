import * as vscode from 'vscode';
import { createApp, type App, type TestAccess } from './app/app.ts';

let app: App | undefined;

/** Gives something away only to the tests of a test window; in any other window the extension has no API. */
export async function activate(context: vscode.ExtensionContext): Promise<TestAccess | undefined> {
  app = createApp(context);
  context.subscriptions.push(app);
  await app.start(); // reports its own failures: the editor would stay silent
  return context.extensionMode === vscode.ExtensionMode.Test ? app.testAccess : undefined;
}

/** Child processes need an awaited stop; `subscriptions` are disposed synchronously. */
export function deactivate(): Promise<void> | undefined {
  return app?.stop();
}
