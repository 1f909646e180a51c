import * as vscode from 'vscode';
import type { TestAccess } from './app/app.ts';
import { LateApp } from './app/lateApp.ts';
import { markStart } from './platform/startMarks.ts';

/** What tests in a test window get: they wait for what a person would see a moment later. */
export interface TestDoor {
  access(): Promise<TestAccess>;
}

let app: LateApp | undefined;

/** Loads the app soon. Only tests in a test window get something back; anywhere else the extension has no API. */
export function activate(context: vscode.ExtensionContext): TestDoor | undefined {
  markStart('activating');
  const late = new LateApp(context);
  app = late;
  context.subscriptions.push(late);
  late.loadSoon(); // reports its own failures: the editor would stay silent
  markStart('activated');
  return context.extensionMode === vscode.ExtensionMode.Test ? { access: () => late.testAccess() } : undefined;
}

/** Child processes need an awaited stop; `subscriptions` are disposed synchronously. */
export function deactivate(): Promise<void> | undefined {
  return app?.stop();
}
