import * as vscode from 'vscode';
import type { LanguageModels } from '../editor/languageModels.ts';
import type { SettingsReader } from '../editor/settingsReader.ts';

/** From now on VS Code's own language models answer; where there is none, the person is told where they come from. */
export async function useVscodeModels(models: LanguageModels, settings: SettingsReader): Promise<void> {
  if ((await models.list()).length > 0) {
    await settings.write('duplex.chat.provider', 'vscode');
    return;
  }
  const search = vscode.l10n.t('Search Extensions');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'VS Code has no language model here yet. Sign in to GitHub Copilot, or install an extension that offers models, and choose again.',
    ),
    search,
  );
  if (answer === search) {
    await vscode.commands.executeCommand('workbench.extensions.search', '@tag:language-models');
  }
}

/** What VS Code shows when it asks whether Duplex may use another extension's model. */
export function modelJustification(): string {
  return vscode.l10n.t('The chat of Duplex sends it your messages and what you let tools return.');
}
