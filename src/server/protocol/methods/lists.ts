import type { JsonObject } from '../../../base/json.ts';
import type { ClientAccess } from '../../access/clientAccess.ts';
import type { Catalog, CatalogPart, OfferedEntry, Resource, Skill } from '../../offer/catalog/catalog.ts';
import { cursorFor, invalidCursor, offsetOf } from '../../offer/catalog/cursor.ts';
import type { Viewer } from '../../seen/viewer.ts';
import type { RequestContext } from '../requests/inFlight.ts';
import { shapeResult } from '../requests/revisions.ts';
import type { Method } from './methodDispatch.ts';

const pageSize = 200;

const skillMimeType = 'text/markdown';

/** Makes a method that lists something in pages. A cursor of another list is invalid. */
export function listMethod(method: string, member: string, items: (request: RequestContext) => readonly JsonObject[]): Method {
  return async ({ cursor }, request) => {
    const all = items(request);
    const { page, nextCursor } = cutPage(all, cursor, method);
    const result = { [member]: page, ...(nextCursor !== undefined && { nextCursor }) };
    return JSON.stringify(shapeResult(method, result, request.revision));
  };
}

export function cutPage<T>(
  all: readonly T[],
  cursor: unknown,
  list: string,
): { readonly page: readonly T[]; readonly nextCursor: string | undefined } {
  if (cursor === undefined && all.length <= pageSize) {
    return { page: all, nextCursor: undefined };
  }
  const start = cursor === undefined ? 0 : startOf(cursor, list);
  const end = start + pageSize;
  return { page: all.slice(start, end), nextCursor: end < all.length ? cursorFor(end, [list]) : undefined };
}

/** Returns the offset of a cursor. Offsets that were never handed out are refused; a list may have become shorter since. */
function startOf(cursor: unknown, list: string): number {
  if (typeof cursor !== 'string') {
    throw invalidCursor();
  }
  const start = offsetOf(cursor, [list]);
  if (start === 0 || start % pageSize !== 0) {
    throw invalidCursor();
  }
  return start;
}

/** The client that looks at a list. */
export interface ListViewer {
  readonly viewer: Viewer;
  readonly access: Pick<ClientAccess, 'state' | 'hides' | 'hidesContent'>;
}

/** The tools that a client sees: those that the policy denies whatever their arguments are left out. */
export function toolsSeenBy({ viewer, access }: ListViewer, catalog: Catalog): readonly JsonObject[] {
  const own = catalog.toolsFor?.(viewer) ?? [];
  return [...catalog.tools, ...own].filter((tool) => !access.hides(tool)).map((tool) => tool.listing);
}

/** The prompts that a client sees: the editor's own, and of offered servers those that the policy does not deny. */
export function promptsSeenBy({ viewer, access }: ListViewer, catalog: Catalog): readonly JsonObject[] {
  const offered = (catalog.promptsFor?.(viewer) ?? []).filter(
    ({ name, server }) => !access.hidesContent({ resource: promptResource(name), server }),
  );
  return [...catalog.prompts, ...offered].map((prompt) => prompt.listing);
}

/** What the policy knows a prompt by. */
export function promptResource(name: string): string {
  return `prompt:${name}`;
}

/** The templates that a client sees, likewise. */
export function templatesSeenBy(by: ListViewer, catalog: Catalog): readonly JsonObject[] {
  return [...catalog.templates, ...listingsSeenBy(by, catalog.templatesFor?.(by.viewer))];
}

function listingsSeenBy({ access }: ListViewer, entries: readonly OfferedEntry[] = []): readonly JsonObject[] {
  return entries.filter(({ address, server }) => !access.hidesContent({ resource: address, server })).map(({ listing }) => listing);
}

/** The skills that a client sees: those all of whose tools it sees. */
export function skillsSeenBy({ access }: Pick<ListViewer, 'access'>, { tools, skills = [] }: Catalog): readonly Skill[] {
  const offered = new Set(skills.length === 0 ? [] : tools.filter((tool) => !access.hides(tool)).map(({ name }) => name));
  return skills.filter((skill) => skill.tools.every((name) => offered.has(name)));
}

/** The resources that a client sees, skills included: to clients that know no skills these are texts like others. */
export function resourcesSeenBy(by: ListViewer, catalog: Catalog): readonly JsonObject[] {
  const { viewer, access } = by;
  const resources = catalog.listResources(access.state.kind === 'allowed' ? viewer : undefined);
  return [
    ...resources,
    ...listingsSeenBy(by, catalog.resourcesFor?.(viewer)),
    ...skillsSeenBy(by, catalog).map(({ uri, name, description }) => ({ uri, name, description, mimeType: skillMimeType })),
  ];
}

/** Finds a resource by the form of its URI. A skill that the client does not see is not there. */
export function resourceSeenBy(uri: string, by: ListViewer, catalog: Catalog): Resource | undefined {
  const skill = catalog.skills?.find((each) => each.uri === uri);
  if (skill === undefined) {
    return catalog.findResource(uri, by.viewer);
  }
  return skillsSeenBy(by, catalog).includes(skill) ? resourceOf(skill) : undefined;
}

function resourceOf({ uri, read }: Skill): Resource {
  return {
    uri,
    role: 'reader',
    paths: [],
    read: async () => ({ kind: 'text', text: await read(), mimeType: skillMimeType }),
    check: () => undefined,
    changes: () => ({ dispose: () => undefined }),
  };
}

/** Returns a text that changes when the list changes. */
export function listState(part: CatalogPart, by: ListViewer, catalog: Catalog): string {
  switch (part) {
    case 'tools':
      return JSON.stringify(toolsSeenBy(by, catalog).map(({ name }) => name));
    case 'prompts':
      return JSON.stringify(promptsSeenBy(by, catalog).map(({ name }) => name));
    case 'resources':
      return `${answerOf(by)} ${JSON.stringify(resourcesSeenBy(by, catalog))} ${JSON.stringify(catalog.templatesFor?.(by.viewer) ?? [])}`;
  }
}

/** The person's answer is part of the state of a list, so that a client that was told to wait hears of it even if the list is the same. */
function answerOf({ access }: ListViewer): string {
  const { kind } = access.state;
  return kind === 'allowed' || kind === 'denied' ? kind : 'unanswered';
}
