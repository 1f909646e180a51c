import * as vscode from 'vscode';
import type { DefinitionProblem } from '../definitions/serverDefinition.ts';
import { needsPermission, type ServerSnapshot } from '../host/shared/serverState.ts';
import type { ServerState as EmbeddedState } from '../server/window/serverCore.ts';
import { pathVariable } from '../platform/pathVariable.ts';
import { errorSentence, problemSentence } from './errorSentence.ts';
import { nativeText } from './nativeText.ts';
import { describeServer } from './serverDescription.ts';

export interface DoctorFindings {
  readonly duplexVersion: string;
  readonly isTrusted: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly askedShell: boolean;
  readonly servers: readonly ServerSnapshot[];
  readonly problems: readonly DefinitionProblem[];
  readonly embedded: EmbeddedState;
  readonly isServerEnabled: boolean;
  /** VS Code's own `http.proxy`. */
  readonly hasProxySetting: boolean;
}

const networkVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/** Everything that decides whether servers run, in Markdown. Names of variables only: their values may be secret. */
export function doctorReport(findings: DoctorFindings): string {
  const sections = [
    [`# ${vscode.l10n.t('Duplex Doctor')}`, summaryOf(findings)],
    [`## ${vscode.l10n.t('MCP servers')}`, ...serverLines(findings.servers)],
    ...(findings.problems.length === 0 ? [] : [[`## ${vscode.l10n.t('Definitions')}`, ...findings.problems.map(problemLine)]]),
    [`## ${vscode.l10n.t('This editor as a server')}`, ...embeddedLines(findings)],
    [`## ${vscode.l10n.t('Programs')}`, ...pathLines(findings)],
    [`## ${vscode.l10n.t('Network')}`, ...networkLines(findings)],
    [`## ${vscode.l10n.t('Versions')}`, ...versionLines(findings)],
  ];
  return `${sections
    .map((lines) =>
      lines
        .join('\n\n')
        .replace(/\n\n- /g, '\n- ')
        .replace(/^(#.*)\n- /, '$1\n\n- '),
    )
    .join('\n\n')}\n`;
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

function serverLines(servers: readonly ServerSnapshot[]): string[] {
  if (servers.length === 0) {
    return [vscode.l10n.t('None is configured. “Duplex: Add Server…” adds one.')];
  }
  return servers.map((server) => {
    const { sentence, advice, facts } = describeServer(server);
    const words = [sentence, ...(advice === undefined ? [] : [`**${inert(advice)}**`]), ...facts];
    return `- ${code(server.label)}: ${words.map((line, index) => (index === 1 && advice !== undefined ? line : inert(line))).join(' ')}`;
  });
}

function problemLine(problem: DefinitionProblem): string {
  const name = problem.server === undefined ? '' : `${code(problem.server)} `;
  return `- ${name}(${inert(problem.location)}): ${inert(problemSentence(problem))}`;
}

function embeddedLines({ embedded, isServerEnabled, isTrusted }: DoctorFindings): string[] {
  switch (embedded.kind) {
    case 'listening': {
      const { discovery, takenPort } = embedded;
      return [
        `- ${vscode.l10n.t('Listening on 127.0.0.1, port {0}.', embedded.port)}`,
        ...(takenPort === undefined ? [] : [`- ${vscode.l10n.t('The configured port {0} is taken by another program.', takenPort)}`]),
        discovery.kind === 'published'
          ? `- ${vscode.l10n.t('Outside programs find it through {0}.', code(discovery.path))}`
          : `- ${vscode.l10n.t('Outside programs cannot find it: {0}', inert(errorSentence(discovery.error)))}`,
      ];
    }
    case 'failed':
      return [`- ${vscode.l10n.t('It could not listen: {0}', inert(errorSentence(embedded.error)))}`];
    case 'stopped':
    case 'starting':
    case 'stopping':
      if (!isTrusted) {
        return [`- ${vscode.l10n.t('It does not listen in Restricted Mode.')}`];
      }
      return [
        `- ${isServerEnabled ? vscode.l10n.t('It does not listen right now.') : vscode.l10n.t('It is off: {0} is false.', code('duplex.server.enabled'))}`,
      ];
  }
}

function pathLines({ env, askedShell }: DoctorFindings): string[] {
  const path = pathVariable(env).value;
  const asked = askedShell
    ? vscode.l10n.t(
        'Your login shell {0} was asked for its PATH, which comes first; the Duplex log says how that went.',
        code(env['SHELL'] ?? ''),
      )
    : vscode.l10n.t('Your login shell was not asked for its PATH: that happens after you allowed a first server.');
  return [`- ${asked}`, `- ${vscode.l10n.t("The editor's own PATH: {0}", code(path === '' ? '-' : path, 4_000))}`];
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
          .map((name) => code(name))
          .join(', ');
  return [
    `- ${vscode.l10n.t('Proxy and certificate variables in the environment: {0}', names)}`,
    `- ${vscode.l10n.t('The setting {0}: {1}', code('http.proxy'), proxy)}`,
  ];
}

function versionLines({ duplexVersion, isTrusted }: DoctorFindings): string[] {
  return [
    `- Duplex ${duplexVersion}`,
    `- VS Code ${vscode.version} (${vscode.env.appName}${vscode.env.remoteName === undefined ? '' : `, ${vscode.env.remoteName}`})`,
    `- Node.js ${process.versions.node}, ${process.platform} ${process.arch}`,
    `- ${isTrusted ? vscode.l10n.t('The workspace is trusted.') : vscode.l10n.t('The workspace is not trusted.')}`,
  ];
}

/** Words from outside must not become links, images or headings when somebody opens the preview. */
function inert(text: string): string {
  return nativeText(text, 600).replace(/[\\`*_[\]<>!#|]/g, '\\$&');
}

function code(text: string, maxLength = 200): string {
  return `\`${nativeText(text, maxLength).replaceAll('`', "'")}\``;
}
