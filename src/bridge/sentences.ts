import { errorMaker, type ErrorTable } from '../base/errors.ts';
import { revealInvisible } from '../base/visibleText.ts';
import type { WindowChoice } from './chooseWindow.ts';
import type { DiscoveredWindow, FoundWindows, Refusal } from './findWindows.ts';

/**
 * The words of `--help`. The bridge is a program of its own: its words go to a host's log, or to a model in place of an answer.
 * None carries a token.
 */
export const usage = `Usage: duplex-bridge [--workspace PATH] [--cert FILE --key FILE] [--list]
Speaks MCP on standard input and output for a VS Code window with Duplex.
  --workspace PATH  use the VS Code window that has PATH open
  --cert FILE       client certificate, for a window that asks for one
  --key FILE        its private key
  --list            print the windows that can be used, and exit
Environment: DUPLEX_CLIENT_TOKEN (from "Duplex: Copy Client Configuration…"), DUPLEX_HOME.
`;

export const windowIsReloading = 'The VS Code window was closed or is reloading.\n';
const reasons: Readonly<Record<Refusal, string>> = {
  deadProcess: 'its window is gone',
  malformed: 'it is not a discovery file of Duplex',
  notAFile: 'it is not an ordinary file or folder',
  otherMachine: 'it belongs to another machine, container or start of this machine',
  otherOwner: 'it belongs to another user',
  silent: 'its window does not answer: the page was closed or hangs; reload it, or open another window',
  symbolicLink: 'it is a symbolic link',
  tooLarge: 'it is too large',
  unproven: 'who listens at its address did not prove to be its window, and got no token',
  unreadable: 'it cannot be read',
  widerMode: 'other users may read or change it',
};

export function describeWindow({ content }: DiscoveredWindow): string {
  const folders = content.workspaceFolders.map((folder) => `  folder ${visible(folder.path)}\n`);
  const { mcp, sse, ws } = content.urls;
  return `${visible(content.name)} (process ${content.pid})\n${folders.join('')}  mcp ${visible(mcp)}\n  sse ${visible(sse)}\n  ws ${visible(ws)}\n`;
}

/** For the person: the titles, which may name any file, are in no other answer of the bridge. */
export function describeList({ windows }: FoundWindows): string {
  return windows.length === 0 ? 'No VS Code window with Duplex is open.\n' : windows.map(describeListed).join('');
}

function describeListed(window: DiscoveredWindow): string {
  const { title, lastUsedAt } = window.content;
  const lines = [
    ...(title === undefined ? [] : [`  title ${visible(title)}\n`]),
    ...(lastUsedAt === undefined ? [] : [`  last used ${visible(lastUsedAt)}\n`]),
  ];
  return describeWindow(window) + lines.join('');
}

export function describeRefusals({ refused }: FoundWindows): string {
  return refused
    .map(({ file, why, name }) => `Not used: ${name === undefined ? '' : `"${visible(name)}", `}${visible(file)}: ${reasons[why]}.\n`)
    .join('');
}

/** Says why no window was chosen, and what to do. */
export function describeChoice(choice: Exclude<WindowChoice, { kind: 'chosen' }>, { windows, refused }: FoundWindows): string {
  const list = windows.map(describeWindow).join('');
  switch (choice.kind) {
    case 'noWindow':
      return refused.some(({ why }) => why === 'silent')
        ? 'No VS Code window with Duplex answers.\n'
        : 'No VS Code window with Duplex is open. Open one and trust its workspace.\n';
    case 'noMatch':
      return `No VS Code window has ${visible(choice.workspace)} open. These windows are open:\n${list}`;
    case 'ambiguous':
      return `Several VS Code windows are open and none has the client's roots or working directory open. Choose one with --workspace PATH:\n${list}`;
  }
}

/** Says why a window did not accept the connection. */
export function describeStatus(status: number, window: DiscoveredWindow, hasClientToken: boolean): string {
  const name = `The VS Code window "${visible(window.content.name)}"`;
  switch (status) {
    case 401:
      return hasClientToken
        ? `${name} does not accept the token in DUPLEX_CLIENT_TOKEN: it was revoked or is not from here. Run "Duplex: Copy Client Configuration…" in VS Code and put the new one in its place.\n`
        : `${name} did not accept the token of its discovery file. Trying again.\n`;
    case 429:
      return `${name} has as many connections as it takes. Trying again.\n`;
    default:
      return `${name} refused the connection (${status}).\n`;
  }
}

/** Says why requests on their way got no answer. */
export function describeClose(closeCode: number): string {
  const unknown = 'What was under way may or may not have been done.';
  switch (closeCode) {
    case 1008:
      return `VS Code ended this connection: it was revoked there, or asked too much. ${unknown}`;
    case 1009:
      return 'VS Code ended this connection: a message was larger than it takes (see the setting duplex.server.limits).';
    default:
      return `The VS Code window closed or reloaded. ${unknown} Try again once it is back.`;
  }
}

/** What the host is told when a window was left because it was silent. */
export const windowIsSilent =
  'The VS Code window does not answer: its page was closed or hangs. What was under way may or may not have been done. Reload the window, or open another.';

export function unreachableWindow(window: DiscoveredWindow, reason: string): string {
  return `The VS Code window "${visible(window.content.name)}" cannot be reached: ${visible(reason)}\n`;
}

function visible(text: string): string {
  return revealInvisible(text).replace(/[\n\t]/g, ' ');
}

/**
 * Errors that say why a window cannot be used. They are in English only: the words go to a host's log, or to a model in place of
 * an answer.
 */
export const bridgeError = errorMaker({
  'bridge.certificateMismatch': () => 'The certificate is not the one of this window.',
  'bridge.certificateWithoutKey': () => '--cert and --key belong together.',
  'bridge.connectTimeout': () => 'The window did not answer in time.',
  'bridge.handshake': () => 'The VS Code window did not take up the conversation.',
  'bridge.timeout': () => 'The VS Code window did not answer in time.',
} as const satisfies ErrorTable);
