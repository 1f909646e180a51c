import * as vscode from 'vscode';
import { type Completions, type Fillable, formOf, wishOf } from '../../chat/context/argumentForms.ts';
import type { ServerSnapshot } from '../../host/shared/serverState.ts';
import { nativeText } from '../nativeText.ts';
import { withPatience } from '../native/progress.ts';
import { viewError } from '../sentences/viewErrors.ts';
import { pickedMemberOf } from '../servers/serverNodes.ts';
import { askFor } from './askValues.ts';
import { type OfferItem, type OfferPorts, type OfferWords, pickOffer } from './pickOffer.ts';
import type { ResourceDocuments } from './resourceDocuments.ts';

export interface OpenResourcePorts extends OfferPorts {
  readonly documents: ResourceDocuments;
  readonly completions: Completions;
}

type Offer =
  | { readonly kind: 'resource'; readonly serverId: string; readonly uri: string }
  | { readonly kind: 'template'; readonly fillable: Fillable };

/** `Open Resource…`: opens the resource of a tree row, or one that the person picks. */
export async function openResource(ports: OpenResourcePorts, argument: unknown, signal: AbortSignal): Promise<void> {
  const offer = offerOfRow(argument) ?? (await pickResource(ports, signal));
  const ref = offer === undefined ? undefined : await resourceOf(ports, offer);
  if (ref !== undefined) {
    await openRead(ref, ports.documents, signal);
  }
}

/** Opens a known resource. Reading that takes long can be cancelled. */
export async function openRead(
  ref: { readonly serverId: string; readonly uri: string },
  documents: ResourceDocuments,
  signal: AbortSignal,
): Promise<void> {
  const read = await withPatience(vscode.l10n.t('Reading “{0}”', nativeText(ref.uri, 80)), (cancelled) =>
    documents.read(ref, AbortSignal.any([signal, cancelled])),
  );
  if (read !== undefined) {
    await documents.show(read);
  }
}

async function resourceOf({ completions }: OpenResourcePorts, offer: Offer): Promise<{ serverId: string; uri: string } | undefined> {
  if (offer.kind === 'resource') {
    return offer;
  }
  const values = await askFor(offer.fillable, formOf('', offer.fillable), completions);
  const wish = values === undefined ? undefined : wishOf(offer.fillable, values);
  return wish?.kind === 'resource' ? { serverId: wish.serverId, uri: wish.uri } : undefined;
}

function pickResource(ports: OpenResourcePorts, signal: AbortSignal): Promise<Offer | undefined> {
  const words: OfferWords = {
    placeholder: vscode.l10n.t('Choose a resource to open'),
    kind: 'resources',
  };
  return pickOffer<Offer>(ports, words, itemsOf, signal);
}

function itemsOf(server: ServerSnapshot): OfferItem<Offer>[] {
  const resources = server.resources.map((resource) => ({
    offer: offerOfResource(server, resource.uri),
    label: resource.title ?? resource.name,
    description: resource.uri,
    detail: resource.description,
    icon: 'file',
  }));
  const templates = server.templates.map((template) => ({
    offer: offerOfTemplate(server, template),
    label: template.title ?? template.name,
    description: template.uriTemplate,
    detail: template.description,
    icon: 'symbol-snippet',
  }));
  return [...resources, ...templates];
}

function offerOfRow(argument: unknown): Offer | undefined {
  const { server, member } = pickedMemberOf(argument) ?? {};
  if (server === undefined) {
    return undefined;
  }
  if (member?.kind === 'template') {
    return offerOfTemplate(server, member.template);
  }
  if (member?.kind === 'skill') {
    return offerOfResource(server, member.skill.uri);
  }
  return member?.kind === 'resource' ? offerOfResource(server, member.resource.uri) : undefined;
}

function offerOfResource({ id }: ServerSnapshot, uri: string): Offer {
  return { kind: 'resource', serverId: id, uri };
}

function offerOfTemplate({ id, label }: ServerSnapshot, template: ServerSnapshot['templates'][number]): Offer {
  return { kind: 'template', fillable: { kind: 'template', template: { ...template, serverId: id, server: label } } };
}

/** `Save Resource As…`: saves the bytes that the server sent, whether they are shown as text, as a picture or as hex. */
export async function saveResource(documents: ResourceDocuments, argument: unknown): Promise<void> {
  const uri = argument instanceof vscode.Uri ? argument : activeUri();
  const ref = uri === undefined ? undefined : documents.refOf(uri);
  if (ref === undefined) {
    throw viewError('views.noResource');
  }
  const { raw, rawName } = await documents.rawOf(ref);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const defaultUri = folder === undefined ? vscode.Uri.file(rawName) : vscode.Uri.joinPath(folder, rawName);
  const target = await vscode.window.showSaveDialog({ defaultUri });
  if (target !== undefined) {
    await vscode.workspace.fs.writeFile(target, raw);
  }
}

function activeUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isFile = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
  return isFile ? input.uri : undefined;
}
