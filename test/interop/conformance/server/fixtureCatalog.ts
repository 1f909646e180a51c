import { Emitter } from '../../../../src/base/events.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Catalog, CatalogPart, Prompt, Resource, ResourceContent } from '../../../../src/server/offer/catalog/catalog.ts';
import { askingTools } from './askingTools.ts';
import { answer, asking, form, pixel, words } from './fixtureTool.ts';
import { plainTools } from './plainTools.ts';
import { taskTools } from './taskTools.ts';

/** What the suite expects a server to offer. It exists in tests only. */
export function createFixtureCatalog(): Catalog {
  const changed = new Emitter<CatalogPart>();
  const tools = [...plainTools(changed), ...askingTools, ...taskTools];
  return {
    instructions: 'Tools, resources and prompts of the conformance suite.',
    tools,
    prompts,
    templates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
    findTool: (name) => tools.find((tool) => tool.name === name),
    findPrompt: (name) => prompts.find((prompt) => prompt.name === name),
    listResources: () => resourceListings,
    findResource,
    complete: ({ argument }) => Promise.resolve({ values: ['paris', 'park', 'party'].filter((value) => value.startsWith(argument.value)) }),
    onDidChange: changed.event,
  };
}

const resourceListings: readonly JsonObject[] = [
  { uri: 'test://static-text', name: 'static-text', description: 'Static text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', description: 'A static image', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'watched-resource', description: 'Can be subscribed to', mimeType: 'text/plain' },
];

const fixedContent: Readonly<Record<string, ResourceContent>> = {
  'test://static-text': { kind: 'text', text: 'This is the content of the static text resource.', mimeType: 'text/plain' },
  'test://static-binary': { kind: 'blob', base64: pixel, mimeType: 'image/png' },
  'test://watched-resource': { kind: 'text', text: 'Watched resource content', mimeType: 'text/plain' },
};

const neverChanges = new Emitter<void>();

function findResource(uri: string): Resource | undefined {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  const content =
    id === undefined ? fixedContent[uri] : { kind: 'json' as const, value: { id, templateTest: true, data: `Data for ID: ${id}` } };
  return content === undefined
    ? undefined
    : { uri, role: 'reader', paths: [], read: () => content, check: () => undefined, changes: neverChanges.event };
}

const userText = (text: string): JsonObject => ({ role: 'user', content: { type: 'text', text } });

function fixturePrompt(name: string, description: string, args: readonly string[], get: Prompt['get']): Prompt {
  return { name, listing: { name, description, arguments: args.map((each) => ({ name: each, description: each, required: true })) }, get };
}

const prompts: readonly Prompt[] = [
  fixturePrompt('test_simple_prompt', 'One line', [], async () => ({ messages: [userText('This is a simple prompt for testing.')] })),
  fixturePrompt('test_prompt_with_arguments', 'Two arguments', ['arg1', 'arg2'], async ({ arg1, arg2 }) => ({
    messages: [userText(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  })),
  fixturePrompt('test_prompt_with_embedded_resource', 'With a resource', ['resourceUri'], async ({ resourceUri = '' }) => ({
    messages: [
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
      },
      userText('Please process the embedded resource above.'),
    ],
  })),
  fixturePrompt('test_prompt_with_image', 'With an image', [], async () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: pixel, mimeType: 'image/png' } },
      userText('Please analyze the image above.'),
    ],
  })),
  fixturePrompt('test_input_required_result_prompt', 'Asks first', [], async (_args, { inputResponses }) =>
    inputResponses.user_context === undefined
      ? asking({ user_context: form('What context should the prompt use?', { context: { type: 'string' } }) })
      : { messages: [userText(`Prompt with context: ${words(answer(inputResponses.user_context, 'context'))}`)] },
  ),
];
