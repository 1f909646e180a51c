// doctor/: the page that says whether all is well, and what to do about what is not.
import * as vscode from 'vscode';
import type { DoctorAction, DoctorFinding, DoctorReport } from '../../contract/pages/doctorMessages.ts';
import type { DefinitionProblem } from '../../definitions/serverDefinition.ts';
import { diagnoseLog, type LogFinding } from '../../host/reports/logDiagnosis.ts';
import { needsPermission, needsSignIn, type ServerSnapshot } from '../../host/shared/serverState.ts';
import { pathVariable } from '../../platform/processes/findExecutable.ts';
import type { EmbeddedServerState as EmbeddedState } from '../../server/window/serverCore.ts';
import { errorSentence } from '../errorReporter.ts';
import { nativeText } from '../nativeText.ts';
import type { Translate } from '../sentences/translate.ts';
import { definitionProblemSentence, describeServer } from '../servers/serverDescription.ts';
import { withoutSecrets } from '../../secrets/redactSecrets.ts';

export interface DoctorFindings {
  readonly duplexVersion: string;
  readonly isTrusted: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly askedShell: boolean;
  readonly servers: readonly ServerSnapshot[];
  /** The lines of a server's log since its last start, by its label. */
  readonly logOf: (label: string) => readonly string[];
  /** The secret values of a server, by its id. */
  readonly secretsOf: (id: string) => readonly string[];
  readonly problems: readonly DefinitionProblem[];
  readonly embedded: EmbeddedState;
  readonly isServerEnabled: boolean;
  /** Whether VS Code's setting `http.proxy` is set. */
  readonly hasProxySetting: boolean;
}

const networkVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/** The order of findings: what needs the person comes first. */
const order: readonly DoctorFinding['severity'][] = ['error', 'warning', 'note', 'good'];

/** Reports everything that decides whether servers run. Of variables it tells the names only: their values may be secret. */
export function createDoctorReport(findings: DoctorFindings): DoctorReport {
  const { problems } = findings;
  return {
    summary: summaryOf(findings),
    sections: [
      { title: vscode.l10n.t('MCP servers'), findings: serverFindings(findings) },
      ...(problems.length === 0 ? [] : [{ title: vscode.l10n.t('Definitions'), findings: problems.map(problemFinding) }]),
      { title: vscode.l10n.t('This editor as a server'), findings: embeddedFindings(findings) },
      { title: vscode.l10n.t('Programs'), findings: notes('path', pathLines(findings)) },
      { title: vscode.l10n.t('Network'), findings: notes('network', networkLines(findings)) },
      { title: vscode.l10n.t('Versions'), findings: notes('versions', versionLines(findings)) },
    ],
  };
}

/** The report as text that can be sent to somebody. */
export function doctorText({ summary, sections }: DoctorReport): string {
  const lines = sections.map(({ title, findings }) => {
    const entries = findings.map(({ name, text, evidence, advice }) =>
      [`- ${name === undefined ? '' : `${name}: `}${text}`, evidence === undefined ? undefined : vscode.l10n.t('“{0}”', evidence), advice]
        .filter((part) => part !== undefined)
        .join(' '),
    );
    return [`## ${title}`, ...entries].join('\n');
  });
  return `${[`# ${vscode.l10n.t('Duplex Doctor')}`, summary, ...lines].join('\n\n')}\n`;
}

function summaryOf({ servers, problems, isTrusted }: DoctorFindings): string {
  if (!isTrusted) {
    return vscode.l10n.t('This window is in Restricted Mode: no server runs before you trust the workspace.');
  }
  const failing = servers.filter(({ state }) => state.kind === 'failed').length;
  const wrong = problems.filter(({ severity }) => severity === 'error').length;
  const waiting = servers.filter(needsPermission).length;
  if (failing + wrong === 0 && waiting > 0) {
    return vscode.l10n.t('Nothing is wrong. Servers that wait for your permission: {0}.', waiting);
  }
  return failing + wrong === 0
    ? vscode.l10n.t('Nothing is wrong.')
    : vscode.l10n.t('Servers that failed: {0}. Definitions with a mistake: {1}.', failing, wrong);
}

function serverFindings({ servers, isTrusted, logOf, secretsOf }: DoctorFindings): DoctorFinding[] {
  const trust = {
    id: 'trust',
    severity: 'warning' as const,
    text: vscode.l10n.t('No server starts before you trust this workspace.'),
    actions: [button('manageTrust', vscode.l10n.t('Manage Workspace Trust'))],
  };
  const none = {
    id: 'none',
    severity: 'note' as const,
    text: vscode.l10n.t('None is configured.'),
    actions: [button('addServer', vscode.l10n.t('Add Server…'))],
  };
  const found = servers
    .map((server) => serverFinding(server, logOf(server.label), secretsOf(server.id)))
    .sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
  return [...(isTrusted ? [] : [trust]), ...(servers.length === 0 ? [none] : found)];
}

function problemFinding(problem: DefinitionProblem, index: number): DoctorFinding {
  return {
    id: `problem ${index}`,
    severity: problem.severity,
    ...(problem.server !== undefined && { name: nativeText(problem.server) }),
    text: `${nativeText(problem.location)}: ${nativeText(definitionProblemSentence(problem), 600)}`,
    actions: [button('openDefinition', vscode.l10n.t('Open Definition'))],
  };
}

function button(action: DoctorAction, label: string): DoctorFinding['actions'][number] {
  return { action, label };
}

function notes(id: string, lines: readonly string[]): DoctorFinding[] {
  return lines.map((text, index) => ({ id: `${id} ${index}`, severity: 'note', text, actions: [] }));
}

function embeddedFindings({ embedded, isServerEnabled, isTrusted }: DoctorFindings): DoctorFinding[] {
  switch (embedded.kind) {
    case 'listening': {
      const { discovery, takenPort } = embedded;
      const hidden =
        discovery.kind === 'published'
          ? undefined
          : vscode.l10n.t('Outside programs cannot find it: {0}', nativeText(errorSentence(discovery.error), 600));
      const taken = takenPort === undefined ? [] : [vscode.l10n.t('The configured port {0} is taken by another program.', takenPort)];
      const good = [
        vscode.l10n.t('Listening on 127.0.0.1, port {0}.', embedded.port),
        ...(discovery.kind === 'published'
          ? [vscode.l10n.t('Outside programs find it through {0}.', nativeText(discovery.path, 1_000))]
          : []),
      ];
      return [
        ...notes('listening', good).map((each) => ({ ...each, severity: 'good' as const })),
        ...notes('hidden', [...taken, ...(hidden === undefined ? [] : [hidden])]).map((each) => ({
          ...each,
          severity: 'warning' as const,
        })),
      ];
    }
    case 'failed': {
      const text = vscode.l10n.t('It could not listen: {0}', nativeText(errorSentence(embedded.error), 600));
      return [{ id: 'embedded', severity: 'error', text, actions: [] }];
    }
    case 'stopped':
    case 'starting':
    case 'stopping':
      if (!isTrusted) {
        return notes('embedded', [vscode.l10n.t('It does not listen in Restricted Mode.')]);
      }
      return notes('embedded', [
        isServerEnabled
          ? vscode.l10n.t('It does not listen right now.')
          : vscode.l10n.t('It is off: {0} is false.', 'duplex.server.enabled'),
      ]);
  }
}

function pathLines({ env, askedShell }: DoctorFindings): string[] {
  const path = pathVariable(env).value;
  const asked = askedShell
    ? vscode.l10n.t(
        'Your login shell {0} was asked for its PATH, which comes first; the Duplex log says how that went.',
        nativeText(env['SHELL'] ?? ''),
      )
    : vscode.l10n.t('Your login shell was not asked for its PATH: that happens after you allowed a first server.');
  return [asked, vscode.l10n.t("The editor's own PATH: {0}", nativeText(path === '' ? '-' : path, 4_000))];
}

function networkLines({ env, hasProxySetting }: DoctorFindings): string[] {
  const present = Object.keys(env).filter(
    (name) => networkVariables.includes(name.toUpperCase()) && env[name] !== undefined && env[name] !== '',
  );
  const proxy = hasProxySetting ? vscode.l10n.t('set') : vscode.l10n.t('not set');
  const names =
    present.length === 0
      ? vscode.l10n.t('none')
      : present
          .sort()
          .map((name) => nativeText(name))
          .join(', ');
  return [
    vscode.l10n.t('Proxy and certificate variables in the environment: {0}', names),
    vscode.l10n.t('The setting {0}: {1}', 'http.proxy', proxy),
  ];
}

function versionLines({ duplexVersion, isTrusted }: DoctorFindings): string[] {
  return [
    `Duplex ${duplexVersion}`,
    `VS Code ${vscode.version} (${vscode.env.appName}${vscode.env.remoteName === undefined ? '' : `, ${vscode.env.remoteName}`})`,
    `Node.js ${process.versions.node}, ${process.platform} ${process.arch}`,
    isTrusted ? vscode.l10n.t('The workspace is trusted.') : vscode.l10n.t('The workspace is not trusted.'),
  ];
}

/** The codes of failures whose sentence says everything; about the others the log may say more. */
const selfEvident =
  /^(?:definitions\.|auth\.|host\.(?:unauthorized|forbidden|startDenied|notTrusted|tlsFile|secretsOverPlainHttp|spawnFailed)$)/;

/** Reports one server: its state, what its log shows, and the buttons that help. None of its `secrets` appears. */
function serverFinding(server: ServerSnapshot, log: readonly string[], secrets: readonly string[]): DoctorFinding {
  const { state } = server;
  const { sentence, advice, facts } = describeServer(server);
  const isUnclear = (state.kind === 'failed' && !selfEvident.test(state.error.code)) || (state.kind === 'starting' && state.attempt > 1);
  // Secrets are removed before a line is cut, because half of one would not be recognised.
  const shown = isUnclear ? diagnoseLog(log.map((line) => withoutSecrets(line, secrets))) : undefined;
  const words = shown === undefined ? undefined : logWords(shown, vscode.l10n.t);
  const tell = (text: string, maxLength: number): string => nativeText(withoutSecrets(text, secrets), maxLength);
  const common = {
    id: server.id,
    severity: severityOf(server),
    name: nativeText(server.label),
    text: [sentence, ...facts, ...(words === undefined ? [] : [words.sentence])].map((line) => tell(line, 600)).join(' '),
    actions: actionsOf(server, shown),
  };
  // Advice that comes from the log is better than a guess.
  const told = words?.advice ?? advice;
  return {
    ...common,
    ...(shown !== undefined && { evidence: tell(shown.line, 500) }),
    ...(told !== undefined && { advice: tell(told, 600) }),
  };
}

function severityOf(server: ServerSnapshot): DoctorFinding['severity'] {
  switch (server.state.kind) {
    case 'ready':
      return 'good';
    case 'failed':
      return needsSignIn(server) || server.state.retryAt !== undefined ? 'warning' : 'error';
    case 'starting':
      return 'note';
    case 'stopped':
      return needsPermission(server) ? 'warning' : 'note';
  }
}

function actionsOf(server: ServerSnapshot, shown: LogFinding | undefined): DoctorFinding['actions'] {
  const { state, scope } = server;
  if (scope === 'builtIn') {
    return [];
  }
  const start = { action: 'start' as const, label: vscode.l10n.t('Start') };
  const signIn = { action: 'start' as const, label: vscode.l10n.t('Sign In') };
  const log = { action: 'showLog' as const, label: vscode.l10n.t('Show Log') };
  const definition = { action: 'openDefinition' as const, label: vscode.l10n.t('Open Definition') };
  const permissions = { action: 'managePermissions' as const, label: vscode.l10n.t('Manage Permissions') };
  switch (state.kind) {
    case 'ready':
      return [{ action: 'restart', label: vscode.l10n.t('Restart') }, log];
    case 'starting':
      return [log];
    case 'stopped':
      return state.reason === 'disabled' || state.reason === 'thisEditor' ? [definition] : [start, definition];
    case 'failed':
      if (needsSignIn(server)) {
        return [signIn, log];
      }
      if (state.error.code === 'host.startDenied') {
        return [permissions];
      }
      // The button that helps most comes first.
      return shown?.kind === 'missingVariable' || state.error.code.startsWith('definitions.')
        ? [definition, start, log]
        : [start, log, definition];
  }
}

/** Says what a server's log shows, and what to do about it. */
function logWords(finding: LogFinding, t: Translate): { readonly sentence: string; readonly advice?: string } {
  switch (finding.kind) {
    case 'missingVariable':
      return {
        sentence: t('Its log says that the variable {0} is missing.', finding.name),
        advice: t('Give it {0} under “env” in its definition, then start it again.', finding.name),
      };
    case 'missingModule':
      return {
        sentence: t('Its log says that it does not find {0}.', finding.name),
        advice: t('Install what the server needs where it runs, then start it again.'),
      };
    case 'addressInUse':
      return {
        sentence: t('Its log says that another program has its port.'),
        advice: t('End the other program, or give the server another port, then start it again.'),
      };
    case 'strayOutput':
      return {
        sentence: t(
          'Its log shows {0} lines or more on its standard output that are not messages of the protocol, so that it cannot be understood.',
          finding.count,
        ),
        advice: t('It is not an MCP server, or writes its log to the wrong place: that belongs on standard error. Check its command.'),
      };
    case 'errorLine':
      return { sentence: t('The last thing its log says:') };
  }
}
