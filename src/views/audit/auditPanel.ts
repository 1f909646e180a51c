// audit/: the page with what was decided and done.
import { setImmediate as letOthersWork } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import {
  barsOf,
  namesByClient,
  matchesFilter,
  readAudit,
  type AuditParts,
  type ReadAudit,
  type ReadLine,
} from '../../consent/audit/auditReading.ts';
import { auditToHost, type AuditFilter, type AuditPage, type AuditRow, type auditToView } from '../../contract/pages/auditMessages.ts';
import { PagePanel } from '../pages/pagePanel.ts';
import { principalWords } from '../permissions/permissionRows.ts';
import { auditWords, chainWords } from './auditWords.ts';

export interface AuditPanelOptions {
  readonly extensionUri: vscode.Uri;
  /** Reads the whole audit log, including lines that still waited to be written. */
  readonly read: () => Promise<AuditParts>;
  readonly key: () => string | Promise<string>;
  readonly onFailure: (error: unknown) => void;
  readonly log: Log;
}

type AuditWords = ReturnType<typeof auditWords>;
type Shown = { readonly filter: AuditFilter; readonly count: number };

const everything: Shown = { filter: { who: '', server: '', what: '', outcome: '', hours: 0 }, count: 200 };

/** Shows the audit log as a table in an editor tab: what was decided and done, and whether it was changed since. */
export class AuditPanel implements Disposable {
  readonly #options: AuditPanelOptions;
  readonly #page: PagePanel<typeof auditToHost, typeof auditToView>;
  #audit: ReadAudit | undefined;
  #shown = everything;

  constructor(options: AuditPanelOptions) {
    this.#options = options;
    const { extensionUri, log } = options;
    const handlers = {
      ready: () => void this.#load(),
      'audit/refresh': () => void this.#load(),
      'audit/show': (shown: Shown) => {
        this.#shown = shown;
        this.#post();
      },
    };
    const title = vscode.l10n.t('Duplex Audit Log');
    const onOpen = (): void => {
      this.#audit = undefined;
      this.#shown = everything;
    };
    this.#page = new PagePanel({ page: 'audit', title, extensionUri, messages: auditToHost, handlers, onOpen, log });
  }

  show(): void {
    if (this.#page.show()) {
      void this.#load();
    }
  }

  dispose(): void {
    this.#page.dispose();
  }

  async #load(): Promise<void> {
    try {
      this.#audit = await readAudit(await this.#options.read(), await this.#options.key(), () => letOthersWork());
      this.#post();
    } catch (error) {
      this.#options.onFailure(error);
    }
  }

  #post(): void {
    if (this.#audit !== undefined) {
      this.#page.post('audit/page', pageOf(this.#audit, this.#shown, Date.now()));
    }
  }
}

function pageOf({ lines, total, verdict }: ReadAudit, { filter, count }: Shown, now: number): AuditPage {
  const t = vscode.l10n.t;
  const clients = namesByClient(lines);
  const wordsOf = (line: ReadLine): AuditWords => auditWords(line, t, clients);
  const matching = lines.filter((line) => matchesFilter(line, wordsOf(line), filter, now));
  return {
    status: { kind: signOf(verdict), text: chainWords(verdict, t) },
    rows: matching.slice(0, count).map((line) => toRow(line, wordsOf(line))),
    matching: matching.length,
    total,
    // The same client is one there, whatever a line says of it.
    bars: barsOf(lines, (line) => principalWords(line.principal, t), t('Others'), now),
  };
}

function signOf({ kind }: ReadAudit['verdict']): AuditPage['status']['kind'] {
  return kind === 'holds' ? 'good' : kind === 'unsealed' ? 'unknown' : 'broken';
}

function toRow(line: ReadLine, words: AuditWords): AuditRow {
  const { place, ...whole } = line;
  const { time, peer, outcome, decidedBy, durationMs } = whole;
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
