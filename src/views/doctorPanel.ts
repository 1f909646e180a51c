import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { Event } from '../base/events.ts';
import { doctorToHost, type doctorToView, type DoctorAction, type DoctorReport } from '../contract/doctorMessages.ts';
import { doctorText } from './doctorReport.ts';
import { WebviewLink } from './webviewLink.ts';
import { pageRoots, renderPage } from './webviewPage.ts';

export interface DoctorPanelOptions {
  readonly extensionUri: vscode.Uri;
  readonly report: () => DoctorReport;
  /** `finding` is the id of one of the report's findings, which offered this. */
  readonly act: (finding: string, action: DoctorAction) => void;
  /** Something that the report tells of is another now. */
  readonly onDidChange: Event<void>;
  readonly log: Log;
}

interface OpenPanel {
  readonly panel: vscode.WebviewPanel;
  readonly link: WebviewLink<typeof doctorToHost, typeof doctorToView>;
  readonly lifetime: DisposableStore;
  isReady: boolean;
}

/** The doctor's page: an editor tab that shows what there is now, as long as it is open. */
export class DoctorPanel implements Disposable {
  readonly #options: DoctorPanelOptions;
  #open: OpenPanel | undefined;

  constructor(options: DoctorPanelOptions) {
    this.#options = options;
  }

  show(): void {
    if (this.#open === undefined) {
      this.#open = this.#create();
    } else {
      this.#open.panel.reveal();
      this.#post();
    }
  }

  dispose(): void {
    this.#open?.panel.dispose();
  }

  #create(): OpenPanel {
    const { extensionUri, log, onDidChange } = this.#options;
    const panel = vscode.window.createWebviewPanel('duplex.doctor', vscode.l10n.t('Duplex Doctor'), vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: pageRoots(extensionUri),
      enableFindWidget: true,
    });
    const lifetime = new DisposableStore();
    const link: OpenPanel['link'] = lifetime.add(
      new WebviewLink(
        panel.webview,
        doctorToHost,
        {
          ready: () => {
            open.isReady = true;
            this.#post();
          },
          'doctor/act': ({ finding, action }) => this.#act(finding, action),
          'doctor/copy': () => void vscode.env.clipboard.writeText(doctorText(this.#options.report())),
        },
        log,
      ),
    );
    const open: OpenPanel = { panel, link, lifetime, isReady: false };
    lifetime.add(onDidChange(() => this.#post()));
    panel.onDidDispose(() => {
      lifetime.dispose();
      this.#open = undefined;
    });
    panel.webview.html = renderPage(panel.webview, extensionUri, 'doctor');
    return open;
  }

  /** A page decides nothing: only what the report offers now is done. */
  #act(finding: string, action: DoctorAction): void {
    const { report, act } = this.#options;
    const found = report()
      .sections.flatMap(({ findings }) => findings)
      .find(({ id }) => id === finding);
    if (found?.actions.some((offered) => offered.action === action) === true) {
      act(finding, action);
    }
  }

  #post(): void {
    if (this.#open?.isReady === true) {
      this.#open.link.post('doctor/report', this.#options.report());
    }
  }
}
