import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { until } from './duplex.ts';

const maxTries = 10;

/** The oldest VS Code comes from npm without the native part of its terminals. */
export function skipWithoutTerminals(test: Mocha.Context): void {
  const places = ['node_modules', 'node_modules.asar.unpacked'].flatMap((modules) => [
    path.join(vscode.env.appRoot, modules, 'node-pty', 'build'),
    path.join(vscode.env.appRoot, modules, 'node-pty', 'prebuilds'),
  ]);
  if (!places.some((folder) => existsSync(folder))) {
    test.skip();
  }
}

/**
 * VS Code can end the stream of a quick command before its data has come. What it did not hear is run again: the act, not what
 * is asserted of it.
 */
export async function untilHeard<T>(act: () => Promise<T>, isHeard: (outcome: T) => boolean): Promise<T> {
  let outcome = await act();
  for (let tries = 1; tries < maxTries && !isHeard(outcome); tries += 1) {
    outcome = await act();
  }
  return outcome;
}

/** A shell that is past its first command, which is heard least of all. */
export async function settledShell(terminal: vscode.Terminal): Promise<vscode.TerminalShellIntegration> {
  const shell = await until('shell integration', () => terminal.shellIntegration);
  const isSettled = (heard: string): boolean => heard.includes('settled');
  const heard = await untilHeard(async () => {
    let text = '';
    for await (const piece of shell.executeCommand('echo settled').read()) {
      text += piece;
    }
    return text;
  }, isSettled);
  assert.ok(isSettled(heard), 'VS Code hears nothing of what the shell runs');
  return shell;
}
