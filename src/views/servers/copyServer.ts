import * as vscode from 'vscode';
import { serverToCopy } from '../../contract/configurationHelp.ts';

/** `Copy Server Form`, from a configuration file: the text that the language server made goes to the clipboard. */
export async function copyServer(argument: unknown): Promise<void> {
  const { data } = serverToCopy().safeParse(argument);
  if (data !== undefined) {
    await vscode.env.clipboard.writeText(data.text);
    void vscode.window.setStatusBarMessage(vscode.l10n.t('Copied. Paste it into the other tool’s file.'), 5_000);
  }
}
