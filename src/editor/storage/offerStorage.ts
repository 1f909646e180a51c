import type * as vscode from 'vscode';
import { Emitter } from '../../base/events.ts';
import { isJsonObject } from '../../base/json.ts';
import type { OfferStorage } from '../../host/offered/offers.ts';
import type { SettingsReader } from '../settingsReader.ts';

const key = 'duplex.offeredServers';
const setting = 'duplex.server.offeredServers';

/** Keeps what the person offers to outside clients: of their own servers in their settings, of all others with this workspace. */
export function offerStorageIn(
  settings: Pick<SettingsReader, 'get' | 'write' | 'onDidChange'>,
  workspaceState: vscode.Memento,
): OfferStorage {
  const changed = new Emitter<void>();
  return {
    userNames: () => settings.get(setting),
    setUserNames: (names) => settings.write(setting, [...names]),
    inWorkspace: () => {
      const stored = workspaceState.get<unknown>(key);
      const entries = isJsonObject(stored) ? Object.entries(stored) : [];
      return Object.fromEntries(entries.flatMap(([id, fingerprint]) => (typeof fingerprint === 'string' ? [[id, fingerprint]] : [])));
    },
    setInWorkspace: async (offered) => {
      await workspaceState.update(key, offered);
      changed.fire();
    },
    onDidChange: (listener) => {
      const [own, ofSetting] = [changed.event(listener), settings.onDidChange((affects) => (affects(setting) ? listener() : undefined))];
      return {
        dispose: () => {
          own.dispose();
          ofSetting.dispose();
        },
      };
    },
  };
}
