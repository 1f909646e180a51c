import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { BrowserContext, Frame, Locator, Page } from 'playwright-core';

import { packagedExtension } from '../../../src/build/steps.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from '../../support/run/temporaryFolder.mjs';
import { copyWorkspace, defaultWorkspace } from '../../support/run/workspaceCopy.mjs';
import { fewBuiltInExtensions } from '../../support/vscode/builtInExtensions.mjs';
import { keepStill } from '../../support/vscode/stillPages.mjs';
import { installedExtensions } from '../../support/vscode/installedExtensions.mjs';
import { writeLanguagePack } from '../../support/vscode/languagePack.mjs';
import { stillSettings, writeUserSettings } from '../../support/vscode/userSettings.mjs';
import { ensureVscode } from '../../support/vscode/vscodeInstallation.mjs';
import { startVscodeServer, type VscodeServer } from '../../support/vscode/vscodeServer.mjs';
import { letWorkersChange } from '../../support/vscode/workerChanges.mjs';
import { workbenchUrl } from '../../support/vscode/workbenchUrl.mjs';
import { CommandPalette } from '../pages/commandPalette.ts';
import { Dialogs } from '../pages/dialogs.ts';
import { Notifications } from '../pages/notifications.ts';
import { Views } from '../pages/views.ts';
import { webviewByTitle } from '../pages/webviews.ts';
import { sharedBrowser } from '../../support/page/browser.ts';
import { settingsFor, type LaunchOptions } from './launchOptions.ts';
import { PageReport } from './pageReport.ts';

const windowMilliseconds = 60_000;
/** How long editors may take to close. One that is left was opened only after the command. */
const closeMilliseconds = 5_000;

export const defaultViewport = { width: 1280, height: 800 } as const;

/** Everything a workbench has put on the disk, in one folder that is gone after `dispose`. */
export interface WorkbenchFolders {
  /** The server's data: `data/User/settings.json`, `data/logs`, `extensions`. */
  readonly data: string;
  /** `DUPLEX_HOME` of the extension. */
  readonly home: string;
  /** The copy of the workspace, undefined for an empty window. */
  readonly workspace: string | undefined;
}

/** A VS Code with the packaged extension installed, and one ordinary window on it, as a person would have it. */
export class Workbench {
  static readonly open = new Set<Workbench>();

  private constructor(
    private currentPage: Page,
    readonly folders: WorkbenchFolders,
    readonly server: VscodeServer,
    private readonly context: BrowserContext,
    private readonly temporaryFolder: string,
    readonly report: PageReport,
  ) {
    Workbench.open.add(this);
  }

  get page(): Page {
    return this.currentPage;
  }

  get palette(): CommandPalette {
    return new CommandPalette(this.page);
  }

  get notifications(): Notifications {
    return new Notifications(this.page);
  }

  get dialogs(): Dialogs {
    return new Dialogs(this.page);
  }

  get views(): Views {
    return new Views(this.page);
  }

  static async launch(options: LaunchOptions = {}): Promise<Workbench> {
    const temporaryFolder = createTemporaryFolder();
    const folders = await prepareFolders(temporaryFolder, options);
    const installation = await ensureVscode(options.version ?? 'floor');
    // In a place of its own: what an extension starts is known by its path.
    await symlink(
      await installedExtensions(installation, options.extensions ?? [packagedExtension()]),
      path.join(folders.data, 'extensions'),
      'junction',
    );
    const server = await startVscodeServer({
      installation,
      serverDataFolder: folders.data,
      ...(options.builtIns === 'all' ? {} : { builtInExtensionsFolder: await fewBuiltInExtensions(installation, temporaryFolder) }),
      keepsCompiledCode: true,
      ...(options.language === undefined ? {} : { language: options.language }),
      // Whatever this machine has: the journeys about boxes name it themselves.
      env: { DUPLEX_HOME: folders.home, DUPLEX_BUBBLEWRAP: '/none', ...options.env },
    });
    const browser = await sharedBrowser();
    const viewport = options.viewport ?? defaultViewport;
    // What moves is painted again and again, by a processor that has other things to do.
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
    await keepStill(context);
    const report = new PageReport(context);
    const workbench = new Workbench(await context.newPage(), folders, server, context, temporaryFolder, report);
    await openWindow(workbench.page, server.port, folders.workspace);
    return workbench;
  }

  /** Clicks the activity bar's entry, unless its view container is already shown. */
  async openView(name: string): Promise<void> {
    await this.views.open(name);
  }

  async runCommand(title: string): Promise<void> {
    await this.palette.run(title);
  }

  /** The document inside a webview view or panel; it stays valid when the extension replaces its content. */
  async webview(title: string | RegExp): Promise<Frame> {
    return webviewByTitle(this.page, title);
  }

  /** The chat of the extension under test. */
  async chatFrame(): Promise<Frame> {
    await this.openView('Duplex');
    return this.webview('Chat');
  }

  statusBarItem(name: string | RegExp): Locator {
    return this.page.locator('.statusbar-item').filter({ hasText: name });
  }

  /** Lets go of every editor, also of what is unsaved and of what is still on its way to be shown, and of every notification. */
  async tidyUp(): Promise<void> {
    const tabs = this.page.locator('.tabs-container .tab');
    const forget = this.dialogs.box.getByRole('button', { name: "Don't Save" });
    const deadline = Date.now() + windowMilliseconds;
    do {
      if (Date.now() > deadline) {
        const [left, asked] = await Promise.all([tabs.allInnerTexts(), this.dialogs.box.allInnerTexts()]);
        throw new Error(`Editors do not close: ${left.join(', ')}. VS Code asks: ${asked.join(', ')}`);
      }
      await this.runCommand('View: Close All Editors');
      for (const until = Date.now() + closeMilliseconds; (await tabs.count()) > 0 && Date.now() < until;) {
        if (await forget.isVisible()) {
          await forget.click();
        }
        await this.page.waitForTimeout(50);
      }
    } while ((await tabs.count()) > 0);
    await this.runCommand('Notifications: Clear All Notifications');
  }

  /** Gives every file of the fixture that has changed its first text again; files that were added stay. */
  async restoreWorkspace(): Promise<void> {
    const { workspace } = this.folders;
    if (workspace === undefined) {
      return;
    }
    const first = await copyWorkspace(path.basename(workspace), await mkdtemp(path.join(this.temporaryFolder, 'first-')));
    const entries = await readdir(first, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((each) => each.isFile())) {
      const source = path.join(entry.parentPath, entry.name);
      const target = path.join(workspace, path.relative(first, source));
      const [wanted, found] = await Promise.all([readFile(source), readFile(target).catch(() => undefined)]);
      // One that is the same is left alone: a server may be reading it just now.
      if (found === undefined || !wanted.equals(found)) {
        await writeFile(target, wanted);
      }
    }
  }

  /** Loads the window again in place; storage survives, secrets do not. */
  async reload(): Promise<void> {
    await this.page.reload();
    await waitForWindow(this.page);
  }

  /** As a person does: VS Code stores first which tabs are open, which it does not when the page is loaded again by itself. */
  async reloadByCommand(): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.runCommand('Developer: Reload Window');
    await loaded;
    await waitForWindow(this.page);
  }

  /** Ends the window the way a person does, and waits until its extensions are deactivated. */
  async closeWindow(): Promise<void> {
    await this.page.close();
    await this.server.waitForExtensionHostsToEnd();
  }

  /** Closes the window and opens it again in the same profile, as after a night. */
  async restartWindow(): Promise<void> {
    await this.closeWindow();
    this.currentPage = await this.newWindow(this.folders.workspace);
  }

  /** One more window of the same server and profile; without a folder it is empty. */
  async newWindow(workspaceFolder?: string): Promise<Page> {
    const page = await this.context.newPage();
    await openWindow(page, this.server.port, workspaceFolder);
    return page;
  }

  async screenshot(file: string): Promise<void> {
    await mkdir(path.dirname(file), { recursive: true });
    await this.page.screenshot({ path: file });
  }

  /** Pages first: a server that loses its browser keeps the extension host for a reconnection. */
  async dispose(): Promise<void> {
    if (!Workbench.open.delete(this)) {
      return;
    }
    await Promise.all(this.context.pages().map((page) => page.close()));
    await this.server.waitForExtensionHostsToEnd();
    await this.context.close();
    await this.server.stop();
    await removeTemporaryFolder(this.temporaryFolder);
  }
}

async function openWindow(page: Page, port: number, workspaceFolder: string | undefined): Promise<void> {
  await letWorkersChange(page);
  await page.goto(workbenchUrl({ port, ...(workspaceFolder === undefined ? {} : { workspaceFolder }) }));
  await waitForWindow(page);
}

/** The window is drawn; extensions follow later, so every page object waits for what it needs. */
async function waitForWindow(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: windowMilliseconds });
}

async function prepareFolders(temporaryFolder: string, options: LaunchOptions): Promise<WorkbenchFolders> {
  const data = path.join(temporaryFolder, 'vscode');
  await writeUserSettings(data, { ...stillSettings, ...settingsFor(options) });
  if (options.keybindings !== undefined) {
    await writeFile(path.join(data, 'data', 'User', 'keybindings.json'), JSON.stringify(options.keybindings));
  }
  if (options.language !== undefined) {
    await writeLanguagePack(data, options.language);
  }
  const fixture = options.workspace ?? defaultWorkspace;
  const workspace = fixture === 'none' ? undefined : await copyWorkspace(fixture, temporaryFolder);
  return { data, home: path.join(temporaryFolder, 'home'), workspace };
}
