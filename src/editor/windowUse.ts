import * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { type Disposable, DisposableStore } from '../base/lifecycle.ts';
import type { WindowUse } from '../server/window/discovery.ts';

/**
 * Follows when this window gets the focus, and what its title begins with. VS Code tells no extension the title itself: it is the
 * active tab and the name of the workspace, unless a setting says otherwise.
 */
export function createWindowUse(workspaceName: () => string): WindowUse & Disposable {
  const lifetime = new DisposableStore();
  const changed = lifetime.add(new Emitter<void>());
  const { window } = vscode;
  const title = (): string => {
    const tab = window.tabGroups.activeTabGroup.activeTab?.label;
    return tab === undefined ? workspaceName() : `${tab} - ${workspaceName()}`;
  };
  let lastUsedAt = window.state.focused ? new Date() : undefined;
  let told = title();
  lifetime.add(
    window.onDidChangeWindowState(({ focused }) => {
      // The loss of the focus is no use: a window may hear of it after the next one has heard that it got it.
      if (focused) {
        lastUsedAt = new Date();
        changed.fire();
      }
    }),
  );
  const lookAtTitle = (): void => {
    if (told !== title()) {
      told = title();
      changed.fire();
    }
  };
  lifetime.add(window.tabGroups.onDidChangeTabs(lookAtTitle));
  lifetime.add(window.tabGroups.onDidChangeTabGroups(lookAtTitle));
  return { lastUsedAt: () => lastUsedAt, title, onDidChange: changed.event, dispose: () => lifetime.dispose() };
}
