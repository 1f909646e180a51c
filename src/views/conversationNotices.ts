import * as vscode from 'vscode';
import { isAppError, messageOf } from '../base/errors.ts';
import type { ConversationKeeper, StoreNotice } from '../chat/store/conversationKeeper.ts';
import { storeLimits } from '../chat/store/storeLimits.ts';
import { errorSentence } from './errorSentence.ts';
import type { ErrorReporter } from './errorReporter.ts';
import { nativeText } from './nativeText.ts';

const megabyte = 1_000_000;

/** What the person has to know about how conversations are kept. */
export function tellOfStore(notice: StoreNotice, reporter: ErrorReporter): void {
  const { t } = vscode.l10n;
  switch (notice.kind) {
    case 'removedOldest':
      void vscode.window.showInformationMessage(
        notice.count === 1
          ? t('The oldest conversation was removed: Duplex keeps {0} of a workspace, and {1} MB in all.', ...kept())
          : t('The {2} oldest conversations were removed: Duplex keeps {0} of a workspace, and {1} MB in all.', ...kept(), notice.count),
      );
      return;
    case 'shortened':
      reporter.warn(
        t(
          'The oldest messages of this conversation are no longer kept: it has more than {0} MB.',
          storeLimits.maxConversationBytes / megabyte,
        ),
      );
      return;
    case 'notStored':
      reporter.warn(t('The conversation cannot be stored, and is gone when this window closes: {0}', nativeText(wordsOf(notice.error))));
  }
}

function wordsOf(error: unknown): string {
  return isAppError(error) ? errorSentence(error) : messageOf(error);
}

function kept(): [number, number] {
  return [storeLimits.maxConversations, storeLimits.maxTotalBytes / megabyte];
}

/** Asks before anything is removed for good; what cannot be read is left alone. */
export async function clearConversations(keeper: Pick<ConversationKeeper, 'clear'>): Promise<void> {
  const here = vscode.l10n.t('Of This Workspace');
  const everywhere = vscode.l10n.t('Of All Workspaces');
  const detail = vscode.l10n.t(
    'They are removed for good. A conversation that another window is answering in stays, and so do files that cannot be read.',
  );
  const picked = await vscode.window.showWarningMessage(
    vscode.l10n.t('Remove all conversations with Duplex?'),
    { modal: true, detail },
    here,
    everywhere,
  );
  if (picked === undefined) {
    return;
  }
  const count = await keeper.clear(picked === here ? 'workspace' : 'all');
  void vscode.window.showInformationMessage(
    count === 1 ? vscode.l10n.t('One conversation was removed.') : vscode.l10n.t('{0} conversations were removed.', count),
  );
}
