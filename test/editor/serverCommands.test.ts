import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import { AppError } from '../../src/base/errors.ts';
import type { DoctorFinding, DoctorReport } from '../../src/contract/pages/doctorMessages.ts';
import type { DefinitionProblem } from '../../src/definitions/serverDefinition.ts';
import type { ServerSnapshot } from '../../src/host/shared/serverState.ts';
import { doDoctorAction } from '../../src/views/doctor/doctorPanel.ts';
import { createDoctorReport, doctorText, type DoctorFindings } from '../../src/views/doctor/doctorReport.ts';
import { activateDuplex, until } from './support/duplex.ts';

describe('Duplex: Doctor', () => {
  let access: TestAccess;

  before(async () => {
    access = await activateDuplex();
    await until('the listener', () => access.servers().find(({ name, state }) => name === 'editor' && state.kind === 'ready'));
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  function report(changes: Partial<DoctorFindings> = {}): DoctorReport {
    return createDoctorReport({
      duplexVersion: '1.2.3',
      isTrusted: true,
      env: process.env,
      askedShell: false,
      servers: access.servers(),
      logOf: () => [],
      secretsOf: () => [],
      problems: [],
      embedded: { kind: 'stopped' },
      isServerEnabled: false,
      hasProxySetting: false,
      ...changes,
    });
  }

  function findingOf(name: string, from: DoctorReport): DoctorFinding | undefined {
    return from.sections.flatMap(({ findings }) => findings).find((finding) => finding.name === name);
  }

  it('is a page of its own', async () => {
    await vscode.commands.executeCommand('duplex.doctor');
    // Another page may be in front for a moment: that of a question that was just answered.
    const shown = await until('the page', () => {
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      return tabs.find(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('duplex.doctor'));
    });
    assert.equal(shown.label, 'Duplex Doctor');
  });

  it('tells versions, trust, PATH, the own server and each server with its reason', () => {
    const text = doctorText(report());
    assert.match(text, /# Duplex Doctor/);
    assert.match(text, /- demo: /);
    assert.match(text, new RegExp(`VS Code ${vscode.version.replace(/\./g, '\\.')}`));
    assert.match(text, /The workspace is trusted/);
    assert.match(text, /editor's own PATH/);
    assert.match(text, /It is off: duplex\.server\.enabled is false/);
  });

  it('shows no value of a variable', () => {
    const text = doctorText(report({ env: { HTTPS_PROXY: 'http://user:secret@proxy.invalid' } }));
    assert.match(text, /HTTPS_PROXY/);
    assert.doesNotMatch(text, /secret/);
  });

  it('says what the log shows instead of a guess, with the button that mends it first', () => {
    const [demo] = access.servers().filter(({ name }) => name === 'demo');
    assert.ok(demo);
    const timeout = { kind: 'failed', error: new AppError('host.timeout', 'too late', { args: { seconds: 60 } }) } as const;
    const failed = { ...demo, state: timeout };
    const guess = findingOf('demo', report({ servers: [failed] }));
    assert.match(guess?.advice ?? '', /larger “timeout”/);
    const missing = findingOf('demo', report({ servers: [failed], logOf: () => ['stderr: DATABASE_URL is not set'] }));
    assert.deepEqual(
      [missing?.evidence, missing?.advice, missing?.actions.map(({ action }) => action)],
      [
        'DATABASE_URL is not set',
        'Give it DATABASE_URL under “env” in its definition, then start it again.',
        ['openDefinition', 'start', 'showLog'],
      ],
    );
    const flood = Array.from({ length: 30 }, () => 'Not a message, ignored: tick [x](command:y)');
    const flooding = findingOf('demo', report({ servers: [failed], logOf: () => flood }));
    assert.match(flooding?.text ?? '', /30 lines or more on its standard output/);
    assert.doesNotMatch(flooding?.advice ?? '', /timeout/);
  });

  it('shows no secret that a server wrote into its log', () => {
    const demo = access.servers().find(({ name }) => name === 'demo') as ServerSnapshot;
    const failed = { ...demo, state: { kind: 'failed', error: new AppError('host.serverEnded', 'It ended.') } as const };
    const logOf = (): string[] => ['stderr: Error: cannot reach postgres://app:s3cret@db/shop with correct horse'];
    const text = doctorText(report({ servers: [failed], logOf, secretsOf: () => ['correct horse'] }));
    assert.match(text, /cannot reach postgres:\/\/app:\[redacted\]@db\/shop with \[redacted\]/);
  });

  it('opens the definition of a server where it stands', async () => {
    const server = { ...(access.servers().find(({ name }) => name === 'demo') as ServerSnapshot), scope: 'workspace' as const };
    await doDoctorAction(server.id, 'openDefinition', { servers: [server], problems: [], openPlace: () => assert.fail() });
    await until('the settings', () =>
      vscode.window.activeTextEditor?.document.uri.path.endsWith('/.vscode/settings.json') === true ? true : undefined,
    );
  });

  it('opens the definition that something is wrong with in the file and folder it stands in', async () => {
    const about = { severity: 'warning', code: 'x', args: {}, message: '', server: 'demo', path: ['env'] } as const;
    const shop = { name: 'shop', path: '/projects/shop' };
    const problems: readonly DefinitionProblem[] = [
      { ...about, scope: 'folder', folder: shop, location: 'settings of shop' },
      { ...about, scope: 'discovered', folder: shop, location: '/projects/shop/.mcp.json' },
    ];
    const opened: object[] = [];
    const openPlace = (place: object): Promise<unknown> => Promise.resolve(opened.push(place));
    await doDoctorAction('problem 0', 'openDefinition', { servers: [], problems, openPlace });
    await doDoctorAction('problem 1', 'openDefinition', { servers: [], problems, openPlace });
    assert.deepEqual(opened, [
      { scope: 'folder', folder: shop, path: undefined, name: 'demo' },
      { scope: 'discovered', folder: shop, path: '/projects/shop/.mcp.json', name: 'demo' },
    ]);
  });
});
