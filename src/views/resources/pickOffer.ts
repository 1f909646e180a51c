import * as vscode from 'vscode';
import type { Ask } from '../../consent/consentGate.ts';
import type { ContentReader } from '../../host/resources/contentReader.ts';
import type { HostRegistry } from '../../host/hostRegistry.ts';
import type { ServerSnapshot } from '../../host/shared/serverState.ts';
import { nativeText } from '../nativeText.ts';
import { nothingOffered, type OfferKind } from '../sentences/nothingOffered.ts';
import { describeServer } from '../servers/serverDescription.ts';

export interface OfferPorts {
  readonly registry: Pick<HostRegistry, 'servers' | 'start' | 'requireTrust'>;
  readonly reader: Pick<ContentReader, 'listed'>;
  /** Asks whether a server may start, when it has to be started first. */
  readonly ask: Ask;
}

export interface OfferWords {
  readonly placeholder: string;
  readonly kind: OfferKind;
}

/** One thing to pick, in the server's own words. `pickOffer` makes them safe to show. */
export interface OfferItem<T> {
  readonly offer: T;
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** The name of one of VS Code's icons. */
  readonly icon: string;
}

type Choice<T> = { readonly kind: 'offer'; readonly offer: T } | { readonly kind: 'start'; readonly server: ServerSnapshot };
type ChoiceItem<T> = vscode.QuickPickItem & { readonly choice?: Choice<T> };

/** Lets the person pick something that running servers offer. Servers that do not run can be started from the list. */
export async function pickOffer<T>(
  ports: OfferPorts,
  words: OfferWords,
  itemsOf: (server: ServerSnapshot) => readonly OfferItem<T>[],
  signal: AbortSignal,
): Promise<T | undefined> {
  ports.registry.requireTrust();
  let only: string | undefined;
  for (;;) {
    await ports.reader.listed(signal);
    const servers = ports.registry.servers().filter(({ id }) => only === undefined || id === only);
    const offered = (wanted: readonly ServerSnapshot[]): ChoiceItem<T>[] =>
      wanted.flatMap((server) => offeredItems(server, itemsOf(server)));
    // The editor's own offers come last: the person knows them, and has them at hand elsewhere.
    const own = servers.filter(({ scope }) => scope === 'builtIn');
    const others = servers.filter(({ scope }) => scope !== 'builtIn');
    const items = [...offered(others), ...startItems<T>(others), ...offered(own)];
    if (items.length === 0) {
      const [alone] = only === undefined ? [] : servers;
      void vscode.window.showInformationMessage(nothingOffered(words.kind, alone && nativeText(alone.label), vscode.l10n.t));
      return undefined;
    }
    // A start question came before: when its page closes, VS Code moves the focus, and the list must stay open.
    const ignoreFocusOut = only !== undefined;
    const options = { placeHolder: words.placeholder, matchOnDescription: true, matchOnDetail: true, ignoreFocusOut };
    const choice = (await vscode.window.showQuickPick(items, options))?.choice;
    if (choice?.kind !== 'start') {
      return choice?.offer;
    }
    const state = await ports.registry.start(choice.server.id, { ask: ports.ask, signal });
    if (state.kind === 'failed') {
      throw state.error;
    }
    if (state.kind !== 'ready') {
      return undefined; // the person said no, and knows it
    }
    only = choice.server.id;
  }
}

function offeredItems<T>(server: ServerSnapshot, items: readonly OfferItem<T>[]): ChoiceItem<T>[] {
  const heading = { label: nativeText(server.label), kind: vscode.QuickPickItemKind.Separator };
  const choices = items.map(({ offer, label, description, detail, icon }) => ({
    label: nativeText(label),
    description: nativeText(description, 120),
    detail: nativeText(detail, 160),
    iconPath: new vscode.ThemeIcon(icon),
    choice: { kind: 'offer' as const, offer },
  }));
  return items.length === 0 ? [] : [heading, ...choices];
}

function startItems<T>(servers: readonly ServerSnapshot[]): ChoiceItem<T>[] {
  const stopped = servers.filter((server) => describeServer(server, false).abilities.includes('startable'));
  const heading = { label: vscode.l10n.t('Not running'), kind: vscode.QuickPickItemKind.Separator };
  const items = stopped.map((server) => ({
    label: `$(play) ${vscode.l10n.t('Start “{0}”…', nativeText(server.label))}`,
    description: nativeText(describeServer(server, false).text, 80),
    choice: { kind: 'start' as const, server },
  }));
  return items.length === 0 ? [] : [heading, ...items];
}
