import type { Translate } from './translate.ts';

export type OfferKind = 'tools' | 'resources' | 'prompts';

/** Pure. Why there is nothing to choose from. `only`: the one server that was looked at, by its label made harmless; what others have is not known. */
export function nothingOffered(kind: OfferKind, only: string | undefined, t: Translate): string {
  switch (kind) {
    case 'tools':
      return only === undefined ? t('No MCP server has a tool. Add one in the Duplex view first.') : t('“{0}” offers no tools.', only);
    case 'resources':
      return only === undefined
        ? t('No running MCP server has a resource. Start one in the Duplex view first.')
        : t('“{0}” offers no resources.', only);
    case 'prompts':
      return only === undefined
        ? t('No running MCP server has a prompt. Start one in the Duplex view first.')
        : t('“{0}” offers no prompts.', only);
  }
}
