import type { JsonObject } from '../../../base/json.ts';
import type { ClientAccess } from '../../access/clientAccess.ts';
import type { Catalog, CatalogPart } from '../../offer/catalog/catalog.ts';
import type { Viewer } from '../../seen/viewer.ts';

/** Who looks at a list. */
export interface ListViewer {
  readonly viewer: Viewer;
  readonly access: Pick<ClientAccess, 'state' | 'hides'>;
}

/** Without what the policy denies this client whatever it calls it with. */
export function toolsSeenBy({ access }: Pick<ListViewer, 'access'>, catalog: Catalog): readonly JsonObject[] {
  return catalog.tools.filter((tool) => !access.hides(tool)).map((tool) => tool.listing);
}

export function resourcesSeenBy({ viewer, access }: ListViewer, catalog: Catalog): readonly JsonObject[] {
  return catalog.listResources(access.state.kind === 'allowed' ? viewer : undefined);
}

/** A text that is another one when the list is. */
export function listState(part: CatalogPart, by: ListViewer, catalog: Catalog): string {
  switch (part) {
    case 'tools':
      return JSON.stringify(toolsSeenBy(by, catalog).map(({ name }) => name));
    case 'prompts':
      return catalog.prompts.map(({ name }) => name).join();
    case 'resources':
      return `${answerOf(by)} ${JSON.stringify(resourcesSeenBy(by, catalog))}`;
  }
}

/** The person's answer opens or closes what is listed: a client that was told to wait hears of it, even if the list is the same. */
function answerOf({ access }: ListViewer): string {
  const { kind } = access.state;
  return kind === 'allowed' || kind === 'denied' ? kind : 'unanswered';
}
