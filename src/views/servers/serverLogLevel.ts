import * as vscode from 'vscode';
import { serverLogLevels, type ServerLogLevel } from '../../host/features/serverMessages.ts';
import type { ServerFeatures } from '../../host/features/serverFeatures.ts';
import type { ServerSnapshot } from '../../host/shared/serverState.ts';
import { nativeText } from '../nativeText.ts';
import { pickServer } from './pickServer.ts';

export interface LogLevelPorts {
  servers(): readonly ServerSnapshot[];
  features(id: string): Pick<ServerFeatures, 'logLevel' | 'setLogLevel'>;
}

/** `Set Server Log Level…`: sets from which level on a running server sends messages for its log. Holds until the window closes. */
export async function setServerLogLevel(registry: LogLevelPorts, argument: unknown): Promise<void> {
  const server = await pickServer(registry.servers(), 'withLogLevel', argument);
  if (server === undefined) {
    return;
  }
  const features = registry.features(server.id);
  const items = serverLogLevels.map((level) => ({
    level,
    label: level,
    detail: levelWords(level),
    ...(level === features.logLevel && { description: vscode.l10n.t('current') }),
  }));
  const placeHolder = vscode.l10n.t('From which level on “{0}” writes to its log', nativeText(server.label, 60));
  const picked = await vscode.window.showQuickPick(items, { placeHolder });
  if (picked !== undefined) {
    await features.setLogLevel(picked.level);
  }
}

/** Says what a level means. Its name is a word of the protocol and stays as it is. */
function levelWords(level: ServerLogLevel): string {
  switch (level) {
    case 'debug':
      return vscode.l10n.t('Everything, also what only helps to find a mistake');
    case 'info':
      return vscode.l10n.t('What the server does');
    case 'notice':
      return vscode.l10n.t('What is in order, but worth knowing');
    case 'warning':
      return vscode.l10n.t('What may go wrong');
    case 'error':
      return vscode.l10n.t('What went wrong');
    case 'critical':
      return vscode.l10n.t('What a part of the server cannot go on with');
    case 'alert':
      return vscode.l10n.t('What has to be mended at once');
    case 'emergency':
      return vscode.l10n.t('Only that the server cannot be used');
  }
}
