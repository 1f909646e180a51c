// adding/: how a new server gets into the settings: pasted, copied from other programs or from a registry, and started.
import * as vscode from 'vscode';
import type { CommandId } from '../../../contract/commands.ts';
import { adoptedServer } from '../../../definitions/pasted/adopted.ts';
import { type Blank, findBlanks } from '../../../definitions/pasted/blanks.ts';
import { fillDefinition } from '../../../definitions/pasted/newInputs.ts';
import { freeName, problemOfServerName, suggestedName } from '../../../definitions/pasted/newNames.ts';
import type { Pasted, PastedServer } from '../../../definitions/pasted/pastedServers.ts';
import { readPasted } from '../../../definitions/pasted/readPasted.ts';
import type { ServerDefinition, WorkspaceFolder } from '../../../definitions/serverDefinition.ts';
import { addServers, configuredInputs, configuredNames, type ServerPlace } from '../../../editor/serverSettings.ts';
import { errorSentence } from '../../errorReporter.ts';
import { nativeText } from '../../nativeText.ts';
import { nameProblemWords } from './nameProblemWords.ts';
import { askPlace, type NewEntry, summaryOf } from './newEntries.ts';
import { definitionProblemSentence } from '../serverDescription.ts';

export interface AddedServers {
  readonly place: ServerPlace;
  readonly entries: readonly NewEntry[];
}

/** Hears of servers just before they are written. */
export type WillAdd = (added: AddedServers) => void;

/**
 * `Add Server…`: one box for whatever people have in hand. Asks for what is missing in it, shows what will be written, and
 * writes it into the settings. Undefined when the person gave up.
 */
export async function addServer(willAdd: WillAdd): Promise<AddedServers | undefined> {
  const found = await askForText();
  return found && addFound(found, willAdd);
}

/**
 * `Adopt Server…`: copies a server that was found in another program's file into the settings, in the form and with the rules of
 * `Add Server…`. That file stays as it is.
 */
export function adoptServer(
  definition: ServerDefinition,
  folders: readonly WorkspaceFolder[],
  willAdd: WillAdd,
): Promise<AddedServers | undefined> {
  const { folder, inputs } = definition;
  const place = folder === undefined ? 'user' : 'workspace';
  return addFound({ kind: 'servers', servers: [adoptedServer(definition, folders)], inputs, place }, willAdd);
}

/** Adopts several servers of other programs at once, in one step and in one place. */
export function adoptServers(
  definitions: readonly ServerDefinition[],
  folders: readonly WorkspaceFolder[],
  willAdd: WillAdd,
): Promise<AddedServers | undefined> {
  const servers = definitions.map((definition) => adoptedServer(definition, folders));
  return addFound({ kind: 'servers', servers, inputs: definitions.flatMap(({ inputs }) => inputs), place: 'user' }, willAdd);
}

async function addFound(found: FoundServers, willAdd: WillAdd): Promise<AddedServers | undefined> {
  const named = nameServers(found.servers);
  const answers = await askMissing(named);
  if (answers === undefined) {
    return undefined;
  }
  for (let names: readonly string[] = named.map(({ name }) => name); ;) {
    const entries = toEntries(found, named, names, answers);
    const choice = await askPlace(entries, found.place);
    if (choice === undefined) {
      return undefined;
    }
    if (choice.kind === 'rename') {
      const others = [...configuredNames(), ...names.filter((name) => name !== choice.name)];
      const chosen = (await askName(choice.name, others)) ?? choice.name;
      names = names.map((name) => (name === choice.name ? chosen : name));
    } else {
      const taken = names.find((name) => problemOfServerName(name, configuredNames()) === 'taken');
      if (taken === undefined) {
        return write(choice.place, entries, willAdd);
      }
      // Another server came while the boxes were open, and would be overwritten: the person sees the other name before it is written.
      void vscode.window.showWarningMessage(nameProblemWords('taken', taken));
      names = freeNames(names);
    }
  }
}

/** Gives another name to each server whose name a configured one has. */
function freeNames(names: readonly string[]): readonly string[] {
  const taken = configuredNames();
  return names.map((name) => freeName(name, [...taken, ...names.filter((other) => other !== name)]));
}

async function write(place: ServerPlace, entries: readonly NewEntry[], willAdd: WillAdd): Promise<AddedServers> {
  const added = { place, entries };
  willAdd(added);
  const servers = Object.fromEntries(entries.map(({ name, definition }) => [name, definition]));
  await addServers(
    place,
    servers,
    entries.flatMap(({ inputs }) => inputs),
  );
  return added;
}

type FoundServers = Extract<Pasted, { kind: 'servers' }>;

/** Asks for the text of a server. Where it is a single word, the person is also asked what that is. */
async function askForText(): Promise<FoundServers | undefined> {
  const copied = await clipboardText();
  const text = await askOrBrowse(copied);
  const pasted = text === undefined ? undefined : readPasted(whole(text, copied));
  if (pasted?.kind === 'word') {
    const server = await askReading(pasted.readings);
    return server && { kind: 'servers', servers: [server], inputs: [] };
  }
  return pasted?.kind === 'servers' ? pasted : undefined;
}

/** Shows the box for the text, with a button that leads to the servers of a registry instead. Undefined when the person gave up or went there. */
function askOrBrowse(copied: string): Promise<string | undefined> {
  const box = vscode.window.createInputBox();
  const browse = { iconPath: new vscode.ThemeIcon('search'), tooltip: vscode.l10n.t('Browse Servers…') };
  box.title = vscode.l10n.t('Add Server');
  box.prompt = vscode.l10n.t('Paste what you have: a command, a URL, a package, JSON, “claude mcp add …” or “code --add-mcp …”');
  box.placeholder = 'npx -y @modelcontextprotocol/server-memory';
  box.value = flat(copied);
  box.ignoreFocusOut = true;
  box.buttons = [browse];
  const check = (typed: string): vscode.InputBoxValidationMessage | undefined =>
    typed.trim() === '' ? undefined : remarkOn(readPasted(whole(typed, copied)));
  const look = (): void => void (box.validationMessage = check(box.value));
  look();
  return new Promise((resolve) => {
    box.onDidChangeValue(look);
    box.onDidAccept(() => {
      if (check(box.value)?.severity !== vscode.InputBoxValidationSeverity.Error) {
        resolve(box.value);
        box.hide();
      }
    });
    box.onDidTriggerButton(() => {
      box.hide();
      void vscode.commands.executeCommand('duplex.browseServers' satisfies CommandId);
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

/** The clipboard, if it is meant for this box. It is read only on the desktop: in a browser that would need a permission. */
async function clipboardText(): Promise<string> {
  const text = vscode.env.uiKind === vscode.UIKind.Desktop ? await vscode.env.clipboard.readText() : '';
  const isMeant = /^\s*(?:[{"`]|\/\/|(?:claude|code|code-insiders|npx|uvx|docker)\s)/.test(text);
  return isMeant && readPasted(text).kind === 'servers' ? text : '';
}

/** A text as the box shows it, which has one line. */
function flat(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim();
}

/** The text with the lines that it had when it was copied, if the box still shows it: a comment ends with its line. */
function whole(typed: string, copied: string): string {
  return flat(typed) === flat(copied) ? copied : typed;
}

/** What is wrong with the text, or what it was understood as. */
function remarkOn(pasted: Pasted): vscode.InputBoxValidationMessage {
  const { Error: error, Info: info } = vscode.InputBoxValidationSeverity;
  switch (pasted.kind) {
    case 'problem':
      return { severity: error, message: nativeText(errorSentence(pasted.problem), 300) };
    case 'invalid':
      return { severity: error, message: nativeText(definitionProblemSentence(pasted.problem), 300) };
    case 'word':
      return { severity: info, message: vscode.l10n.t('A package or a program: you choose next.') };
    case 'servers': {
      const all = pasted.servers.map(({ name, definition }) => `${name ?? suggestedName(definition)}: ${summaryOf(definition)}`);
      return { severity: info, message: nativeText(all.join(' · '), 300) };
    }
  }
}

/** Asks what a single word is. */
async function askReading(readings: Extract<Pasted, { kind: 'word' }>['readings']): Promise<PastedServer | undefined> {
  const item = (server: PastedServer, label: string): vscode.QuickPickItem & { server: PastedServer } => ({
    server,
    label,
    description: nativeText(summaryOf(server.definition)),
  });
  const items = [
    item(readings.npm, `$(package) ${vscode.l10n.t('Package of npm')}`),
    item(readings.python, `$(package) ${vscode.l10n.t('Package of Python')}`),
    item(readings.program, `$(terminal) ${vscode.l10n.t('Program')}`),
  ];
  const options = { title: vscode.l10n.t('Add Server: What is it?'), ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(items, options))?.server;
}

interface NamedServer {
  readonly name: string;
  readonly server: PastedServer;
  readonly blanks: readonly Blank[];
}

/** Gives each server a name: the one that was pasted with it, or one from what it runs; with a number where that is taken. */
function nameServers(servers: readonly PastedServer[]): readonly NamedServer[] {
  const taken = configuredNames();
  return servers.map((server) => {
    const isUsable = server.name !== undefined && problemOfServerName(server.name, []) === undefined;
    const name = freeName(isUsable ? (server.name ?? '') : suggestedName(server.definition), taken);
    taken.push(name);
    return { name, server, blanks: findBlanks(server.definition) };
  });
}

type Answers = ReadonlyMap<Blank, string>;

/** Asks for what is missing, once for each thing. Undefined when the person gave up. */
async function askMissing(servers: readonly NamedServer[]): Promise<Answers | undefined> {
  const answers = new Map<Blank, string>();
  for (const { name, blanks } of servers) {
    const missing = blanks.filter(({ kind }) => kind === 'missing');
    for (const blank of missing) {
      const isSame = (other: Blank): boolean => other.label === blank.label && other.text === blank.text;
      const given = [...answers].find(([other]) => blanks.includes(other) && isSame(other))?.[1];
      const answer = given ?? (await askValue(name, blank));
      if (answer === undefined) {
        return undefined;
      }
      answers.set(blank, answer);
    }
  }
  return answers;
}

async function askValue(name: string, { label, text, isSecret, mayHaveInput }: Blank): Promise<string | undefined> {
  const later =
    text === ''
      ? vscode.l10n.t('Leave it empty if it needs no value.')
      : mayHaveInput
        ? isSecret
          ? vscode.l10n.t('It is kept in your secret storage, not in the settings. Leave it empty to be asked when the server starts.')
          : vscode.l10n.t('Leave it empty to be asked when the server starts.')
        : vscode.l10n.t('Leave it empty to keep “{0}”.', nativeText(text, 60));
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Add Server “{0}”: {1}', nativeText(name, 60), nativeText(label, 60)),
    prompt: later,
    placeHolder: nativeText(text, 100),
    password: isSecret,
    ignoreFocusOut: true,
  });
}

function toEntries(found: FoundServers, servers: readonly NamedServer[], names: readonly string[], answers: Answers): readonly NewEntry[] {
  const configured = [...configuredInputs()];
  return servers.map(({ server: { definition, leftOut }, blanks }, index) => {
    const name = names[index] ?? '';
    const filled = fillDefinition(definition, blanks, answers, { name, given: found.inputs, configured });
    configured.push(...filled.inputs);
    return { name, leftOut, ...filled };
  });
}

async function askName(before: string, taken: readonly string[]): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Server: Name'),
    prompt: vscode.l10n.t('What to call the server'),
    value: before,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const problem = problemOfServerName(text.trim(), taken);
      return problem === undefined ? undefined : nameProblemWords(problem, text.trim());
    },
  });
  return name?.trim();
}
