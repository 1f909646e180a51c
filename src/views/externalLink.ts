import * as vscode from 'vscode';
import { viewError } from './sentences/viewErrors.ts';

/** Opens what a person clicked in the outside browser; VS Code asks again for hosts the person does not trust. */
export async function openExternalLink(href: string): Promise<void> {
  const target = URL.canParse(href) ? new URL(href) : undefined;
  if (target === undefined || !['https:', 'http:', 'mailto:'].includes(target.protocol)) {
    throw viewError('views.linkRefused');
  }
  await vscode.env.openExternal(vscode.Uri.parse(target.href, true));
}
