import { argumentForm } from '../../unit/schemaForms/support.ts';
import { callQuestion } from './callQuestion.ts';

/** 300 characters, as many as a definition has that is to be read at a glance. */
export const usualDescription =
  'Searches the whole catalogue of the shop for articles whose name or description contains the text. Returns at most the given number of ' +
  'articles with price, stock and the shelf where they stand. Articles that are no longer sold are left out unless asked for. Prices are ' +
  'in euros, tax is included here.';

export const usualArguments = { query: 'oat milk', category: 'food', limit: 10, in_stock: true, sort: 'price' };

/** All answers that a question about a call can have. */
export const callChoices = ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace', 'allowAlways'];

const schema = {
  type: 'object',
  properties: {
    query: { type: 'string' },
    category: { type: 'string', enum: ['food', 'tools'] },
    limit: { type: 'integer', minimum: 1 },
    in_stock: { type: 'boolean' },
    sort: { type: 'string' },
  },
} as const;

const nothingFound = { place: { kind: 'thisMachine' }, carried: [], compared: 2, isPartly: false };

/** A call as there are many: five short arguments, a definition that nobody has read, other tools, and nothing unusual. */
export function usualCall(detail: object = {}, more: object = {}): object {
  const own = {
    asker: { kind: 'model', name: 'Claude Sonnet 4.5' },
    server: 'shop',
    tool: 'search_articles',
    description: usualDescription,
    form: argumentForm(schema),
    otherTools: [{ name: 'add_article', description: 'Adds an article.', claims: [], parameters: [] }],
    knows: nothingFound,
    ...detail,
  };
  return callQuestion(usualArguments, own, { choices: callChoices, ...more });
}

/** The same call, whose text came from another server. */
export function carryingCall(more: object = {}): object {
  const found = { server: 'mail', tool: 'read', source: { kind: 'result' }, path: 'query', encoding: 'plain' };
  const carried = [{ ...found, excerpt: 'oat milk', characters: 8 }];
  return usualCall({ knows: { ...nothingFound, carried } }, { isRead: true, ...more });
}
