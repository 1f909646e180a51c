import { revealInvisible } from '../base/visibleText.ts';
import type { Choice } from './chooseWindow.ts';
import type { DiscoveredWindow, FoundWindows, Refusal } from './discoveredWindow.ts';

/** The bridge is a program of its own: its words go to a host's log, in English. None of them carries a token. */
export const usage = `Usage: duplex-bridge [--workspace PATH] [--list]
  --workspace PATH  use the VS Code window that has PATH open
  --list            print the windows that can be used, and exit
`;

export const notYet =
  'Relaying over stdio is not available in this version of Duplex; connect to the URLs that "duplex-bridge --list" prints instead.\n';

const reasons: Readonly<Record<Refusal, string>> = {
  deadProcess: 'its window is gone',
  malformed: 'it is not a discovery file of Duplex',
  notAFile: 'it is not an ordinary file or folder',
  otherMachine: 'it belongs to another machine, container or start of this machine',
  otherOwner: 'it belongs to another user',
  symbolicLink: 'it is a symbolic link',
  tooLarge: 'it is too large',
  unreadable: 'it cannot be read',
  widerMode: 'other users may read or change it',
};

export function describeWindow({ content }: DiscoveredWindow): string {
  const folders = content.workspaceFolders.map((folder) => `  folder ${visible(folder.path)}\n`);
  const { mcp, sse, ws } = content.urls;
  return `${visible(content.name)} (process ${content.pid})\n${folders.join('')}  mcp ${visible(mcp)}\n  sse ${visible(sse)}\n  ws ${visible(ws)}\n`;
}

export function describeList({ windows }: FoundWindows): string {
  return windows.length === 0 ? 'No VS Code window with Duplex is open.\n' : windows.map(describeWindow).join('');
}

export function describeRefusals({ refused }: FoundWindows): string {
  return refused.map(({ file, why }) => `Not used: ${visible(file)}: ${reasons[why]}.\n`).join('');
}

/** Why no window was chosen, and what to do. */
export function describeChoice(choice: Exclude<Choice, { kind: 'chosen' }>, windows: readonly DiscoveredWindow[]): string {
  const list = windows.map(describeWindow).join('');
  switch (choice.kind) {
    case 'noWindow':
      return 'No VS Code window with Duplex is open. Open one and trust its workspace.\n';
    case 'noMatch':
      return `No VS Code window has ${visible(choice.workspace)} open. These windows are open:\n${list}`;
    case 'ambiguous':
      return `Several VS Code windows are open and none has the working directory open. Choose one with --workspace PATH:\n${list}`;
  }
}

function visible(text: string): string {
  return revealInvisible(text).replace(/[\n\t]/g, ' ');
}
