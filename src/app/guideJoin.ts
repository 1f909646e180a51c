import * as vscode from 'vscode';
import { sentencesOf } from '../base/errors.ts';
import { OfflineGuide } from '../chat/models/offlineGuide.ts';
import { guideTexts } from '../views/sentences/guideTexts.ts';

/** Joins the guide to its texts. Loaded when it is first asked something. */
export function joinGuide(): OfflineGuide {
  return new OfflineGuide({ texts: sentencesOf(guideTexts(vscode.l10n.t, () => vscode.workspace.isTrusted)) });
}
