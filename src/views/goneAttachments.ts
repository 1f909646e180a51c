import * as vscode from 'vscode';
import type { GoneAttachment } from '../contract/chat/attachments.ts';
import { nativeText } from './nativeText.ts';

/** Does not wait for the person to close it. */
export function tellOfGone(gone: readonly GoneAttachment[]): void {
  if (gone.length > 0) {
    const names = gone.map(nameOf).join(', ');
    const { t } = vscode.l10n;
    void vscode.window.showWarningMessage(
      nativeText(t('No longer attached since the window was loaded anew: {0}. Attach it again.', names), 600),
    );
  }
}

function nameOf({ what, name }: GoneAttachment): string {
  if (name !== '') {
    return `“${nativeText(name, 80)}”`;
  }
  switch (what) {
    case 'terminal':
      return vscode.l10n.t('output of the terminal');
    case 'tests':
      return vscode.l10n.t('test results');
    case 'diagnostics':
      return vscode.l10n.t('problems');
    case 'editors':
      return vscode.l10n.t('open editors');
    case 'changes':
      return vscode.l10n.t('changes');
    case 'image':
      return vscode.l10n.t('image');
    case 'file':
    case 'folder':
    case 'selection':
    case 'resource':
    case 'prompt':
    case 'result':
      return vscode.l10n.t('something without a name');
  }
}
