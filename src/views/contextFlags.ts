import * as vscode from 'vscode';

/** What the walkthrough in package.json can know of a window. */
export const contextFlags = ['duplex.hasServers', 'duplex.hasClients'] as const;

/** Tells VS Code what holds in this window, each time it changes. */
export function contextFlag(name: (typeof contextFlags)[number]): (value: boolean) => void {
  let told: boolean | undefined;
  return (value) => {
    if (value !== told) {
      told = value;
      void vscode.commands.executeCommand('setContext', name, value);
    }
  };
}
