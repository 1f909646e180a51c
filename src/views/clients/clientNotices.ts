import * as vscode from 'vscode';
import type { NoticePort } from '../../editor/acting/actingViews.ts';
import { authorName, changeLabel, messageSentence } from '../proposals/proposalWords.ts';

/** Shows messages of clients to the person, always under the name of the client. */
export function createClientNotices(showError: (sentence: string) => void): NoticePort {
  return {
    showMessage: (author, level, message) => {
      const sentence = messageSentence(author, message);
      switch (level) {
        case 'info':
          void vscode.window.showInformationMessage(sentence);
          break;
        case 'warning':
          void vscode.window.showWarningMessage(sentence);
          break;
        case 'error':
          showError(sentence);
      }
    },
    terminalName: authorName,
    changeLabel,
  };
}
