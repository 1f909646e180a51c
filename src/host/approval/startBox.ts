import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { ConsentGate } from '../../consent/consentGate.ts';
import type { StartServerQuestion } from '../../contract/questions/serverQuestions.ts';
import type { PreparedLaunch } from '../../definitions/prepareLaunch.ts';
import type { ServerDefinition } from '../../definitions/serverDefinition.ts';
import type { Boxes, BoxOffer } from '../box/boxes.ts';
import type { BoxPlan } from '../box/boxPlan.ts';

/** The box of a start: what is offered, and whether it is used. */
export interface StartBox {
  readonly offer: BoxOffer;
  readonly isConfined: boolean;
  /** Whether the definition itself asks for a box. */
  readonly isWished: boolean;
  /** Whether that is VS Code's own wish, in VS Code's own file. */
  readonly isOfEditor: boolean;
}

/** Whether the definition came with what is open here, and not from the person or the machine. */
export function isOfRepository({ scope, folder }: ServerDefinition): boolean {
  return scope === 'workspace' || scope === 'folder' || (scope === 'discovered' && folder !== undefined);
}

/** Under what the permissions to start a server are kept. */
export function startSubject({ id }: ServerDefinition): { principal: 'host'; action: 'startServer'; subject: readonly string[] } {
  return { principal: 'host', action: 'startServer', subject: ['server', id] };
}

/**
 * The box of a server before anybody is asked: as the person last allowed it, else preselected for a server of a repository, for one
 * from a registry, and for one whose definition asks for it. Undefined where no server can be confined.
 */
export async function startBox(
  launch: PreparedLaunch,
  { gate, boxes, folders }: { readonly gate: ConsentGate; readonly boxes: Boxes | undefined; readonly folders: readonly string[] },
): Promise<StartBox | undefined> {
  const { definition } = launch;
  const before = gate.lastAllowed({ ...startSubject(definition), material: { cwd: revealInvisible(launch.cwd) } })?.material;
  const allowedHosts = before === undefined ? [] : hostsIn(before);
  const offer = await boxes?.offer(launch, { folders, isOfRepository: isOfRepository(definition), allowedHosts });
  const wasConfined = before !== undefined && isJsonObject(before['confined']);
  const isConfined = offer?.kind === 'ready' && (before === undefined ? isPreselected(launch) : wasConfined);
  const isWished = launch.sandbox !== undefined;
  return offer && { offer, isConfined, isWished, isOfEditor: isWished && definition.scope === 'discovered' };
}

/** The box as it can be relied on: where one that was tried does not hold, none is offered. */
export async function triedBox(box: StartBox | undefined, boxes: Boxes | undefined): Promise<StartBox | undefined> {
  const obstacle = box?.offer.kind === 'ready' ? await boxes?.try() : undefined;
  return box === undefined || obstacle === undefined ? box : { ...box, offer: { kind: 'obstacle', obstacle }, isConfined: false };
}

export function isPreselected({ definition, sandbox }: PreparedLaunch): boolean {
  return sandbox !== undefined || definition.raw.registry !== undefined || isOfRepository(definition);
}

/** The hosts that a remembered permission covers. */
function hostsIn(material: JsonObject): readonly string[] {
  const box = material['confined'];
  const hosts = isJsonObject(box) ? box['network'] : undefined;
  return Array.isArray(hosts) ? hosts.filter((host) => typeof host === 'string') : [];
}

/** The plan by which a server is confined; undefined for one that is not. */
export function planOf(box: StartBox | undefined): BoxPlan | undefined {
  return box?.isConfined === true && box.offer.kind === 'ready' ? box.offer.plan : undefined;
}

/** What of a box is fingerprinted. A server that is not confined has no such material, as it was before there were boxes. */
export function boxMaterial(box: StartBox | undefined): JsonObject | undefined {
  const plan = planOf(box);
  return plan && { ...shownPlan(plan), packages: plan.isFetched ? 'fetched first' : undefined };
}

function shownPlan({ read, write, hosts }: BoxPlan): { read: string[]; write: string[]; network: string[] } {
  return { read: read.map(({ shown }) => shown), write: write.map(({ shown }) => shown), network: [...hosts] };
}

/** What the question says of the box. */
export function boxDetail(box: StartBox): StartServerQuestion['box'] {
  const { offer, isConfined, isWished, isOfEditor } = box;
  const editor = isOfEditor ? { isOfEditor } : {};
  if (offer.kind === 'obstacle') {
    const { obstacle } = offer;
    return { isPreselected: isWished, read: [], write: [], hosts: [], notApplied: [], isFetched: false, obstacle, ...editor };
  }
  const { read, write, network } = shownPlan(offer.plan);
  const reveal = (texts: readonly string[]): string[] => texts.map(revealInvisible);
  const { isFetched, notApplied } = offer.plan;
  return {
    isPreselected: isConfined,
    read: reveal(read),
    write: reveal(write),
    hosts: reveal(network),
    notApplied: reveal(notApplied),
    isFetched,
    ...editor,
  };
}
