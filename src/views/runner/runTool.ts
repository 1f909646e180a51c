// runner/: Run Tool (this file): tools that a person, a key binding or a task runs by hand, and what is shown of the result.
import * as vscode from 'vscode';
import { neverAborted } from '../../base/abort.ts';
import type { Late } from '../../base/late.ts';
import { systemClock } from '../../base/clock.ts';
import type { OpenQuestions } from '../../consent/openQuestions.ts';
import type { Claim } from '../../contract/questions/rolesAndClaims.ts';
import type { KeptRuns } from '../../host/byHand/keptRuns.ts';
import type { KnownTool, KnownTools } from '../../host/byHand/knownTools.ts';
import type { HostRegistry } from '../../host/hostRegistry.ts';
import { requireResult, runningServer, startedServer } from '../../host/tools/runTool.ts';
import type { RawToolResult } from '../../host/connection/serverSession.ts';
import { hostError } from '../../host/shared/hostErrors.ts';
import type { ServerSnapshot } from '../../host/shared/serverState.ts';
import type { ToolCaller } from '../../host/tools/toolCaller.ts';
import { nativeText } from '../nativeText.ts';
import { callWithProgress } from '../native/progress.ts';
import { nothingOffered } from '../sentences/nothingOffered.ts';
import { describeServer } from '../servers/serverDescription.ts';
import { pickedToolOf } from '../servers/serverNodes.ts';
import { isFromCaller, readToolCall } from './toolCallArgument.ts';
import { toolChoices, type ToolListRow } from './toolChoices.ts';
import type { RunnerTabs } from './runnerTabs.ts';

export interface RunToolPorts {
  readonly registry: HostRegistry;
  readonly caller: ToolCaller;
  readonly questions: Pick<OpenQuestions, 'ask' | 'askOwn'>;
  /** The tabs, each with the form of one tool. */
  readonly tabs: Late<RunnerTabs>;
  readonly known: KnownTools;
  readonly kept: KeptRuns;
}

/** `Run Tool…`: for the person, or for a key binding or another extension that gives an argument and gets the result. */
export async function runTool(ports: RunToolPorts, argument: unknown): Promise<RawToolResult | undefined> {
  if (isFromCaller(argument)) {
    return runToolForCaller(ports, argument);
  }
  await runToolForPerson(ports, pickedToolOf(argument));
  return undefined;
}

/**
 * Runs a tool for a key binding or another extension, and returns the result. Rejects with the reason, which VS Code shows for a
 * key. It never uses what was allowed to the chat.
 */
async function runToolForCaller({ registry, caller, questions: { ask }, tabs }: RunToolPorts, argument: unknown): Promise<RawToolResult> {
  const { server: name, tool, arguments: args, show } = readToolCall(argument);
  const server = await runningServer(registry, name, ask);
  let started = { arguments: args, at: systemClock.now() };
  const outcome = await callWithProgress(caller, server, {
    principal: 'command',
    asker: { kind: 'command' },
    tool,
    arguments: args,
    ask,
    onStart: (sent) => {
      started = { arguments: sent, at: systemClock.now() };
    },
  });
  const elapsedMs = systemClock.now() - started.at;
  const result = requireResult(outcome, server.label, tool);
  if (show) {
    (await tabs.get()).showRun({ serverId: server.id, tool }, { kind: 'ended', arguments: started.arguments, outcome, elapsedMs });
  }
  return result;
}

/** Lets the person pick a tool, unless one is given, and opens the tab with its form. */
async function runToolForPerson(ports: RunToolPorts, given: ReturnType<typeof pickedToolOf>): Promise<void> {
  const { registry, questions, tabs, known, kept } = ports;
  registry.requireTrust();
  const pick = (servers: readonly ServerSnapshot[], only?: ServerSnapshot): Promise<PickedTool | undefined> =>
    pickTool(
      toolChoices(servers, (id) => known.of(id), kept.recent()),
      only,
    );
  let picked = given === undefined ? await pick(registry.servers()) : { serverId: given.server.id, tool: given.tool.name };
  while (picked !== undefined) {
    const { serverId, tool: name } = picked;
    const server = await startedServer(registry, serverId, questions.askOwn, neverAborted());
    if (name !== undefined) {
      const tool = server.tools.find((each) => each.name === name);
      if (tool === undefined) {
        throw hostError('host.unknownTool', { server: server.label, tool: name });
      }
      (await tabs.get()).open(serverId, tool);
      return;
    }
    picked = await pick([server], server); // now that its tools are known
  }
}

/** What was picked. Without a tool, the server is to be started first, so that its tools can be seen. */
interface PickedTool {
  readonly serverId: string;
  readonly tool: string | undefined;
}

type ChoiceItem = vscode.QuickPickItem & { readonly target?: PickedTool };

/** How much of a description a list item has: more than is visible, because the list searches it. */
const maxDetail = 400;

/** Lets the person pick a tool by its name or words of its description. `only` is the server when just one was looked at. */
async function pickTool(choices: readonly ToolListRow[], only?: ServerSnapshot): Promise<PickedTool | undefined> {
  if (choices.length === 0) {
    void vscode.window.showInformationMessage(nothingOffered('tools', only && nativeText(only.label), vscode.l10n.t));
    return undefined;
  }
  const options = {
    placeHolder: vscode.l10n.t('Choose a tool to run'),
    matchOnDescription: true,
    matchOnDetail: true,
    // A start question came before: when its page closes, VS Code moves the focus, and the list must stay open.
    ignoreFocusOut: only !== undefined,
  };
  const chosen: ChoiceItem | undefined = await vscode.window.showQuickPick(choices.map(toItem), options);
  return chosen?.target;
}

function toItem(choice: ToolListRow): ChoiceItem {
  switch (choice.kind) {
    case 'heading': {
      const label = choice.server === undefined ? vscode.l10n.t('recently used') : nativeText(choice.server.label);
      return { label, kind: vscode.QuickPickItemKind.Separator };
    }
    case 'tool':
      return toolItem(choice.server, choice.tool);
    case 'server':
      return {
        label: vscode.l10n.t('Start “{0}”', nativeText(choice.server.label)),
        description: nativeText(describeServer(choice.server).text, 80),
        detail: vscode.l10n.t('Its tools are not known before it runs.'),
        iconPath: new vscode.ThemeIcon('play'),
        target: { serverId: choice.server.id, tool: undefined },
      };
  }
}

function toolItem(server: ServerSnapshot, { name, title, description, claims }: KnownTool): ChoiceItem {
  const state = server.state.kind === 'ready' ? [] : [describeServer(server).text];
  const facts = [server.label, ...(title === undefined ? [] : [name]), ...state, ...claimWords(claims)];
  return {
    label: nativeText(title ?? name),
    description: nativeText(facts.join(' · ')),
    detail: nativeText(description, maxDetail),
    iconPath: new vscode.ThemeIcon(iconOf(claims)),
    target: { serverId: server.id, tool: name },
  };
}

/** What the server claims about a tool, in a few words that say it is a claim. */
function claimWords(claims: readonly Claim[]): string[] {
  if (claims.includes('readOnly')) {
    return [vscode.l10n.t('claims to be read-only')];
  }
  return claims.includes('destructive') ? [vscode.l10n.t('may destroy or overwrite')] : [];
}

function iconOf(claims: readonly Claim[]): string {
  return claims.includes('readOnly') ? 'eye' : claims.includes('destructive') ? 'warning' : 'symbol-method';
}
