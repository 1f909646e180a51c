import * as vscode from 'vscode';

/**
 * What the walkthrough in package.json can know of a window, one for each of its steps: a message was sent in the chat, there is a
 * server, a tool was run by hand, a program outside is connected, the person looked at what was done.
 */
export const contextFlags = [
  'duplex.hasAsked',
  'duplex.hasServers',
  'duplex.hasRunTool',
  'duplex.hasClients',
  'duplex.hasLookedBack',
] as const;

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
