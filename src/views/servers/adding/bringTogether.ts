import * as vscode from 'vscode';
import type { KnownHost } from '../../../contract/clientConfigurations.ts';
import type { ForeignFileKind } from '../../../contract/definitionSchemas.ts';
import { type SameServers, sameServers, type ServerElsewhere } from '../../../definitions/foreign/elsewhere.ts';
import type { ServerDefinition } from '../../../definitions/serverDefinition.ts';
import { nativeText } from '../../nativeText.ts';
import { summaryOf } from './newEntries.ts';

export interface TogetherPorts {
  /** What is configured in other programs, read now. */
  readonly elsewhere: () => Promise<readonly ServerElsewhere[]>;
  /** The person's own servers, and whether each is offered to clients. */
  readonly own: () => readonly ServerDefinition[];
  /** Copies servers into the settings, with their secrets in the secret storage, and starts them; returns their ids. */
  readonly adopt: (definitions: readonly ServerDefinition[]) => Promise<readonly string[]>;
  readonly offer: (id: string) => Promise<void>;
  /** Copies the configuration for a program. */
  readonly copyFor: (host: KnownHost) => Promise<void>;
}

/**
 * `Bring Servers Together…`: finds the servers of other programs on this machine, adopts the chosen ones, offers them to clients, and
 * has for each program the one entry that takes their place. No file of another program is written.
 */
export async function bringServersTogether(ports: TogetherPorts): Promise<void> {
  const groups = sameServers(await ports.elsewhere(), ports.own());
  if (groups.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No servers are configured in other programs on this machine.'));
    return;
  }
  const chosen = await pickServers(groups);
  if (chosen === undefined || chosen.length === 0) {
    return;
  }
  const missing = chosen.flatMap(({ own, elsewhere: [first] }) => (own === undefined && first !== undefined ? [first.definition] : []));
  const adopted = missing.length === 0 ? [] : await ports.adopt(missing);
  if (adopted.length < missing.length) {
    return; // the person gave up on the way
  }
  for (const id of [...chosen.flatMap(({ own }) => own?.id ?? []), ...adopted]) {
    await ports.offer(id);
  }
  await showReplacements(programsOf(chosen), ports);
}

interface GroupItem extends vscode.QuickPickItem {
  readonly group: SameServers;
}

async function pickServers(groups: readonly SameServers[]): Promise<readonly SameServers[] | undefined> {
  const items = groups.map((group): GroupItem => ({
    group,
    picked: true,
    label: nativeText(nameOf(group)),
    description: nativeText(summaryOf(group.elsewhere[0]?.definition.raw ?? {}), 200),
    detail: nativeText(whereWords(group), 300),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Bring Servers Together: Choose the servers'),
    placeHolder: vscode.l10n.t('They are copied into Duplex and offered to clients; other programs’ files stay as they are'),
    canPickMany: true,
    ignoreFocusOut: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.map(({ group }) => group);
}

function nameOf({ own, elsewhere: [first] }: SameServers): string {
  return own?.name ?? first?.definition.name ?? '';
}

/** Where the same server is configured, under which names, and what of it differs. */
function whereWords({ elsewhere, own, hasOtherValues }: SameServers): string {
  const { t } = vscode.l10n;
  const name = own?.name ?? elsewhere[0]?.definition.name;
  const places = elsewhere.map(({ place, definition }) =>
    definition.name === name ? place.name : t('{0} (as “{1}”)', place.name, definition.name),
  );
  const words = [
    elsewhere.length > 1 ? t('the same in {0}', places.join(', ')) : t('in {0}', places.join(', ')),
    ...(own === undefined ? [] : [t('already in Duplex')]),
    ...(hasOtherValues && own === undefined ? [t('with other values; those of {0} are taken', elsewhere[0]?.place.name ?? '')] : []),
  ];
  return words.join(' · ');
}

/** A program, with the entries of its file that are not needed any more. */
interface Program {
  readonly host: KnownHost;
  readonly name: string;
  readonly path: string;
  readonly entries: readonly string[];
}

function programsOf(groups: readonly SameServers[]): readonly Program[] {
  const programs = new Map<string, Program>();
  for (const { place, definition } of groups.flatMap(({ elsewhere }) => elsewhere)) {
    const { entries = [] } = programs.get(place.path) ?? {};
    programs.set(place.path, { host: hostOf(place.kind), name: place.name, path: place.path, entries: [...entries, definition.name] });
  }
  return [...programs.values()];
}

function hostOf(kind: ForeignFileKind): KnownHost {
  const hosts: Readonly<Partial<Record<ForeignFileKind, KnownHost>>> = {
    ...{ claudeDesktop: 'claudeDesktop', cursor: 'cursor', mcpJson: 'claudeCode' },
    ...{ vscode: 'vscode', vscodeUser: 'vscode' },
  };
  return hosts[kind] ?? 'plain';
}

/** Shows each program with what its new entry replaces, until the person has copied what they want. */
async function showReplacements(programs: readonly Program[], { copyFor }: TogetherPorts): Promise<void> {
  const { t } = vscode.l10n;
  const copied = new Set<Program>();
  for (;;) {
    const items = programs.map((program) => ({
      program,
      label: `$(${copied.has(program) ? 'check' : 'copy'}) ${nativeText(program.name)}`,
      description: t('replaces {0}', nativeText(program.entries.join(', '), 200)),
      detail: nativeText(program.path, 300),
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: t('Bring Servers Together: One entry for each program'),
      placeHolder: t('Choose a program to copy its entry; remove the replaced ones from its file yourself'),
      ignoreFocusOut: true,
    });
    if (picked === undefined) {
      return;
    }
    await copyFor(picked.program.host);
    copied.add(picked.program);
  }
}
