import * as vscode from 'vscode';
import type { Event } from '../../base/events.ts';
import type { Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { CommandId } from '../../contract/commands.ts';
import { type DoctorAction, type DoctorReport, doctorToHost, type doctorToView } from '../../contract/pages/doctorMessages.ts';
import type { DefinitionProblem } from '../../definitions/serverDefinition.ts';
import type { ServerSnapshot } from '../../host/shared/serverState.ts';
import { PagePanel } from '../pages/pagePanel.ts';
import type { Handlers } from '../pages/webviewLink.ts';
import type { DefinitionPlace } from '../servers/files/openDefinition.ts';
import { doctorText } from './doctorReport.ts';

export interface DoctorPanelOptions {
  readonly extensionUri: vscode.Uri;
  readonly report: () => DoctorReport;
  /** Does what a finding of the report offers; `finding` is its id. */
  readonly act: (finding: string, action: DoctorAction) => void;
  /** Fires when something changed that the report tells about. */
  readonly onDidChange: Event<void>;
  readonly log: Log;
}

/** The doctor's page: an editor tab whose report is kept up to date while it is open. */
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

  /** Does what a button of the page offers. The page decides nothing: only what the report offers now is done. */
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

export interface DoctorSubjects {
  readonly servers: readonly ServerSnapshot[];
  readonly problems: readonly DefinitionProblem[];
  readonly openPlace: (place: DefinitionPlace) => Thenable<unknown>;
}

/** Does what a button of the doctor's page offers, always by a command that a person could use as well. */
export function doDoctorAction(findingId: string, action: DoctorAction, subjects: DoctorSubjects): Thenable<unknown> {
  const { servers, problems, openPlace } = subjects;
  const server = servers.find(({ id }) => id === findingId);
  const run = (command: CommandId): Thenable<unknown> =>
    vscode.commands.executeCommand(command, server === undefined ? undefined : { server: { id: server.id } });
  switch (action) {
    case 'start':
      return run('duplex.startServer');
    case 'restart':
      return run('duplex.restartServer');
    case 'showLog':
      return run('duplex.showServerLog');
    case 'addServer':
      return run('duplex.addServer');
    case 'managePermissions':
      return run('duplex.managePermissions');
    case 'manageTrust':
      return vscode.commands.executeCommand('workbench.trust.manage');
    case 'openDefinition':
      return server !== undefined
        ? run('duplex.editServer')
        : openProblem(problems[Number(/^problem (\d+)$/.exec(findingId)?.[1] ?? Number.NaN)], openPlace);
  }
}

/** Opens the file with the problem. */
function openProblem(problem: DefinitionProblem | undefined, openPlace: DoctorSubjects['openPlace']): Thenable<unknown> {
  if (problem === undefined) {
    return vscode.commands.executeCommand('workbench.action.openSettings', 'duplex.mcpServers');
  }
  const { scope, folder, location, server } = problem;
  return openPlace({ scope, folder, path: scope === 'discovered' ? location : undefined, name: server });
}
