import { setImmediate as nextTurn } from 'node:timers/promises';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { revealInvisible } from '../base/visibleText.ts';
import { barsOf, matchesFilter, readAudit, type AuditParts, type ReadAudit, type ReadLine } from '../consent/audit/auditReading.ts';
import { auditToHost, type AuditFilter, type AuditPage, type AuditRow, type auditToView } from '../contract/auditMessages.ts';
import { auditWords, chainWords } from './sentences/auditWords.ts';
import { WebviewLink } from './webviewLink.ts';
import { pageRoots, renderPage } from './webviewPage.ts';

export interface AuditPanelOptions {
  readonly extensionUri: vscode.Uri;
  /** Everything that is written by now, with what waits to be. */
  readonly read: () => Promise<AuditParts>;
  readonly key: () => Promise<string>;
  readonly onFailure: (error: unknown) => void;
  readonly log: Log;
}

interface OpenPanel {
  readonly panel: vscode.WebviewPanel;
  readonly link: WebviewLink<typeof auditToHost, typeof auditToView>;
  readonly lifetime: DisposableStore;
  audit: ReadAudit | undefined;
  shown: { readonly filter: AuditFilter; readonly count: number };
}

const everything: OpenPanel['shown'] = { filter: { who: '', what: '', outcome: '', hours: 0 }, count: 200 };

/** The record as a table in an editor tab: what was decided and done, and whether nobody changed it since. */
export class AuditPanel implements Disposable {
  readonly #options: AuditPanelOptions;
  #open: OpenPanel | undefined;

  constructor(options: AuditPanelOptions) {
    this.#options = options;
  }

  show(): void {
    if (this.#open === undefined) {
      this.#open = this.#create();
    } else {
      this.#open.panel.reveal();
      void this.#load();
    }
  }

  dispose(): void {
    this.#open?.panel.dispose();
  }

  #create(): OpenPanel {
    const { extensionUri, log } = this.#options;
    const panel = vscode.window.createWebviewPanel('duplex.audit', vscode.l10n.t('Duplex Audit Log'), vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: pageRoots(extensionUri),
      enableFindWidget: true,
    });
    const lifetime = new DisposableStore();
    const handlers = {
      ready: () => void this.#load(),
      'audit/refresh': () => void this.#load(),
      'audit/show': (shown: OpenPanel['shown']) => {
        open.shown = shown;
        this.#post(open);
      },
    };
    const link: OpenPanel['link'] = lifetime.add(new WebviewLink(panel.webview, auditToHost, handlers, log));
    const open: OpenPanel = { panel, link, lifetime, audit: undefined, shown: everything };
    panel.onDidDispose(() => {
      lifetime.dispose();
      this.#open = undefined;
    });
    panel.webview.html = renderPage(panel.webview, extensionUri, 'audit');
    return open;
  }

  async #load(): Promise<void> {
    const open = this.#open;
    if (open === undefined) {
      return;
    }
    try {
      open.audit = await readAudit(await this.#options.read(), await this.#options.key(), () => nextTurn());
      this.#post(open);
    } catch (error) {
      this.#options.onFailure(error);
    }
  }

  #post(open: OpenPanel): void {
    if (open.audit !== undefined && !open.lifetime.isDisposed) {
      open.link.post('audit/page', pageOf(open.audit, open.shown, Date.now()));
    }
  }
}

function pageOf({ lines, total, verdict }: ReadAudit, { filter, count }: OpenPanel['shown'], now: number): AuditPage {
  const t = vscode.l10n.t;
  const matching = lines.filter((line) => matchesFilter(line, auditWords(line, t), filter, now));
  return {
    status: { kind: signOf(verdict), text: chainWords(verdict, t) },
    rows: matching.slice(0, count).map(toRow),
    matching: matching.length,
    total,
    bars: barsOf(lines, (line) => auditWords(line, t).who, t('Others'), now),
  };
}

function signOf({ kind }: ReadAudit['verdict']): AuditPage['status']['kind'] {
  return kind === 'holds' ? 'good' : kind === 'unsealed' ? 'unknown' : 'broken';
}

function toRow(line: ReadLine): AuditRow {
  const { place, ...whole } = line;
  const { time, peer, outcome, decidedBy, durationMs } = whole;
  const words = auditWords(line, vscode.l10n.t);
  return {
    place,
    time,
    who: words.who,
    peer: revealInvisible(peer),
    what: revealInvisible(words.what),
    outcome,
    decidedBy,
    durationMs,
    whole: revealInvisible(JSON.stringify(whole, undefined, 2)),
  };
}
