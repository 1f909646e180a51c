import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { ChatPlace } from '../../../../src/chat/places/chatPlaces.ts';
import type { ChatTabs, ChatTabsOptions } from '../../../../src/views/chat/chatTabs.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';
import { closablePanel } from '../closablePanel.ts';

interface Program {
  readonly ChatTabs: new (options: ChatTabsOptions) => ChatTabs;
}

const editor = `
  export const Uri = { joinPath: (...parts) => parts.join('/') };
  export const env = { language: 'en' };
  export const l10n = { t: (text) => text };`;

describe('The tab of a conversation after a reload', function () {
  this.timeout(60_000);
  let tabs: ChatTabs;
  let opened: (place: ChatPlace) => void;
  let closed: ChatPlace[];
  const silent = { dispose: () => undefined };
  const session = { conversation: { title: 'Plans', items: [] }, onMessage: () => silent };
  const place = { session } as unknown as ChatPlace;

  before(async () => {
    const loaded = await importWithFakes<Program>("export { ChatTabs } from './src/views/chat/chatTabs.ts';", { vscode: editor });
    tabs = new loaded.ChatTabs({
      extensionUri: 'extension' as unknown as vscode.Uri,
      open: () => new Promise((resolve) => (opened = resolve)),
      connect: () => silent,
      onClose: (each) => closed.push(each),
    });
  });
  beforeEach(() => (closed = []));
  after(() => tabs.dispose());

  it('lets go of its chat when the person closes it before it is filled', async () => {
    const { panel } = closablePanel();
    const reopened = tabs.reopen(panel, { conversationId: 'one' });
    panel.dispose();
    opened(place);
    await reopened;
    assert.deepEqual([closed, tabs.active, tabs.isVisible(place)], [[place], undefined, false]);
  });

  it('leaves the chat to the tab that has it, and lets go when that is closed', async () => {
    const [stays, goes] = [closablePanel(), closablePanel()];
    const first = tabs.reopen(stays.panel, { conversationId: 'one' });
    opened(place);
    await first;
    const second = tabs.reopen(goes.panel, { conversationId: 'one' });
    goes.panel.dispose();
    opened(place);
    await second;
    assert.deepEqual([closed, tabs.isVisible(place), stays.panel.title], [[], true, 'Plans']);
    stays.panel.dispose();
    assert.deepEqual([closed, tabs.isVisible(place)], [[place], false]);
  });
});
