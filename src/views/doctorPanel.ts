import * as vscode from 'vscode';
import type { Disposable, DisposableStore } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { Event } from '../base/events.ts';
import { doctorToHost, type doctorToView, type DoctorAction, type DoctorReport } from '../contract/doctorMessages.ts';
import { doctorText } from './doctorReport.ts';
import { PagePanel } from './pagePanel.ts';
import type { Handlers } from './webviewLink.ts';

export interface DoctorPanelOptions {
  readonly extensionUri: vscode.Uri;
  readonly report: () => DoctorReport;
  /** `finding` is the id of one of the report's findings, which offered this. */
  readonly act: (finding: string, action: DoctorAction) => void;
  /** Something that the report tells of is another now. */
  readonly onDidChange: Event<void>;
  readonly log: Log;
}

/** The doctor's page: an editor tab that shows what there is now, as long as it is open. */
export class DoctorPanel implements Disposable {
  readonly #options: DoctorPanelOptions;
  readonly #page: PagePanel<typeof doctorToHost, typeof doctorToView>;

  constructor(options: DoctorPanelOptions) {
    this.#options = options;
    const { extensionUri, onDidChange, log } = options;
    const handlers: Handlers<typeof doctorToHost> = {
      ready: () => this.#post(),
      'doctor/act': ({ finding, action }) => this.#act(finding, action),
      'doctor/copy': () => void vscode.env.clipboard.writeText(doctorText(this.#options.report())),
    };
    const onOpen = (lifetime: DisposableStore): void => void lifetime.add(onDidChange(() => this.#post()));
    const title = vscode.l10n.t('Duplex Doctor');
    this.#page = new PagePanel({ page: 'doctor', title, extensionUri, messages: doctorToHost, handlers, onOpen, log });
  }

  show(): void {
    if (this.#page.show()) {
      this.#post();
    }
  }

  dispose(): void {
    this.#page.dispose();
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
    this.#page.post('doctor/report', this.#options.report());
  }
}
