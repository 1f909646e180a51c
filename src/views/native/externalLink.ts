import * as vscode from 'vscode';
import { SystemBrowser } from '../../editor/systemBrowser.ts';
import { viewError } from '../sentences/viewErrors.ts';

/** Opens a link that the person clicked in their browser. VS Code asks once more for hosts that they have not trusted yet. */
export async function openExternalLink(href: string): Promise<void> {
  const target = URL.canParse(href) ? new URL(href) : undefined;
  if (target === undefined || !['https:', 'http:', 'mailto:'].includes(target.protocol)) {
    throw viewError('views.linkRefused');
  }
  const opened = await new SystemBrowser(vscode.env, vscode.Uri).openAsShown(target.href);
  if (opened === 'otherAddress') {
    throw viewError('views.linkChanged');
  }
}
