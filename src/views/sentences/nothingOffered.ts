import type { Translate } from './translate.ts';

export type OfferKind = 'tools' | 'resources' | 'prompts';

/**
 * Says why a list has nothing to choose from. `only` is the label, safe to show, of the one server that was looked at; what
 * others have is not known then.
 */
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
