// methods/: the methods that both eras share, from the parameters of a request to its result as JSON text.
import { recorded } from './callRecords.ts';
import { listMethod, promptsSeenBy, resourcesSeenBy, templatesSeenBy, toolsSeenBy } from './lists.ts';
import type { Method } from './methodDispatch.ts';
import { complete, getPrompt } from './promptMethods.ts';
import { readResource } from './resourceMethods.ts';
import { callTool, type MethodServices } from './toolCalls.ts';

/**
 * Makes the methods that both eras share; each era adds negotiation, subscriptions and what else differs. Each method answers with
 * JSON text in the client's revision.
 */
export function createMethods(services: MethodServices): ReadonlyMap<string, Method> {
  const { catalog, records } = services;
  return new Map<string, Method>([
    ['tools/call', (params, request) => callTool(services, params, request)],
    ['tools/list', listMethod('tools/list', 'tools', (request) => toolsSeenBy(request, catalog))],
    ['resources/list', listMethod('resources/list', 'resources', (request) => resourcesSeenBy(request, catalog))],
    [
      'resources/templates/list',
      listMethod('resources/templates/list', 'resourceTemplates', (request) => templatesSeenBy(request, catalog)),
    ],
    ['prompts/list', listMethod('prompts/list', 'prompts', (request) => promptsSeenBy(request, catalog))],
    [
      'prompts/get',
      recorded(
        records,
        (params, viewer) => {
          const prompt = catalog.findPrompt(params.name, viewer);
          const isOfOtherServer = prompt?.server !== undefined;
          return { action: 'getPrompt', subject: prompt?.name ?? '', arguments: params.arguments, isOfOtherServer };
        },
        (params, request) => getPrompt(catalog, params, request),
      ),
    ],
    ['completion/complete', (params, request) => complete(catalog, params, request)],
    [
      'resources/read',
      recorded(
        records,
        ({ uri }, viewer) => {
          const isOfOtherServer = typeof uri === 'string' && catalog.serverOf?.(uri, viewer) !== undefined;
          return { action: 'readResource', subject: schemeOf(uri), arguments: { uri }, isOfOtherServer };
        },
        (params, request) => readResource(catalog, params, request),
      ),
    ],
  ]);
}

/** Only the scheme of a URI is recorded as subject, because a path is an argument. */
function schemeOf(uri: unknown): string {
  return typeof uri === 'string' ? (/^[a-z][a-z0-9+.-]{0,30}:/i.exec(uri)?.[0] ?? '') : '';
}
