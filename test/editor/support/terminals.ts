import { existsSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { until } from './duplex.ts';

/** Skips a test of terminals where none can open: the oldest VS Code comes from npm without the native part that they need. */
export function skipWithoutTerminals(test: Mocha.Context): void {
  const places = ['node_modules', 'node_modules.asar.unpacked'].flatMap((modules) => [
    path.join(vscode.env.appRoot, modules, 'node-pty', 'build'),
    path.join(vscode.env.appRoot, modules, 'node-pty', 'prebuilds'),
  ]);
  if (!places.some((folder) => existsSync(folder))) {
    test.skip(); // with that part there, as in every VS Code that people install, the test runs
  }
}

/**
 * A shell that stands at its first prompt, which is when it tells its folder: what runs before that VS Code takes for ended when
 * the prompt comes.
 */
export function shellAtPrompt(terminal: vscode.Terminal): Promise<vscode.TerminalShellIntegration> {
  return until('the first prompt', () => (terminal.shellIntegration?.cwd === undefined ? undefined : terminal.shellIntegration));
}
