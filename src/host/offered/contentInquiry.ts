import type { JsonObject } from '../../base/json.ts';
import { escapeInvisible, revealInvisible } from '../../base/visibleText.ts';
import type { ConsentInquiry } from '../../consent/consentGate.ts';
import type { ConsentRequest } from '../../consent/consentModel.ts';
import { differencesAtServer, fingerprintOf } from '../../consent/fingerprint.ts';
import { shownAsker } from '../../consent/openQuestions.ts';
import type { CallToolQuestion } from '../../contract/questions/toolQuestions.ts';
import type { PromptInfo, ResourceTemplateInfo } from '../shared/serverState.ts';
import { readableJson, revealDeep } from '../shared/shownJson.ts';
import { askerOf, type CallingClient, sessionOfClient, principalOf } from './callingClient.ts';

export interface ContentTarget {
  readonly serverId: string;
  /** The label of the server. */
  readonly server: string;
  /** What the server was started from, as the person allowed it. */
  readonly identity: string;
}

/** The question about one read, and what its answer is bound to. */
export interface ContentInquiry extends Pick<ConsentInquiry, 'request' | 'differencesFrom'> {
  readonly detail: CallToolQuestion;
}

interface Wished {
  readonly client: CallingClient;
}

/** A prompt is asked about like a tool: by its definition, with the arguments of this use in view. */
export function promptInquiry(
  { client, arguments: args }: Wished & { readonly arguments: Readonly<Record<string, string>> },
  target: ContentTarget & { readonly prompt: PromptInfo },
): ContentInquiry {
  const request = inquiryRequest({ client }, target);
  const { title, description, arguments: parameters } = target.prompt;
  return {
    request,
    differencesFrom: (previous) => differencesAtServer(previous, request.material),
    detail: {
      ...common(client, target),
      tool: revealInvisible(target.prompt.name),
      isPrompt: true,
      ...(title !== undefined && { title: revealInvisible(title) }),
      description: revealInvisible(description),
      parameters: parameters.map(({ name, description: about, isRequired }) => ({
        ...{ name: revealInvisible(name), type: 'string', isRequired, description: revealInvisible(about) },
        ...{ values: [], limits: [], isCut: false },
      })),
      arguments: readableJson({ ...args }),
    },
  };
}

/**
 * Makes the question whether a client may read an address. One answer can hold for all addresses that a server lists, and one for
 * those of a pattern. What is the client's own text in such an address stands in every question.
 */
export function readInquiry(
  { client, uri }: Wished & { readonly uri: string },
  target: ContentTarget & { readonly template: ResourceTemplateInfo | undefined },
): ContentInquiry {
  const { template } = target;
  return {
    request: inquiryRequest({ client }, target),
    // The identity of a server is no text for people.
    differencesFrom: () => [{ field: 'server' }],
    detail: {
      ...common(client, target),
      tool: 'resources/read',
      reads: template === undefined ? 'listed' : 'pattern',
      description: template === undefined ? '' : revealInvisible(template.uriTemplate),
      arguments: escapeInvisible(JSON.stringify({ uri }, undefined, 2)),
    },
  };
}

/** Makes the consent request for a prompt, for a template's addresses, or, with neither, for the resources that the server lists. */
export function inquiryRequest(
  { client }: Wished,
  {
    serverId,
    identity,
    prompt,
    template,
  }: ContentTarget & Partial<{ readonly prompt: PromptInfo; readonly template: ResourceTemplateInfo | undefined }>,
): ConsentRequest {
  const what =
    prompt === undefined ? (template === undefined ? ['resources'] : ['template', template.uriTemplate]) : ['prompt', prompt.name];
  const material: JsonObject = {
    ...(prompt !== undefined && definitionOf(prompt)),
    ...(template !== undefined && { uriTemplate: template.uriTemplate }),
    server: identity,
  };
  return {
    principal: principalOf(client),
    action: 'callTool',
    subject: ['server', serverId, ...what, ...sessionOfClient(client)],
    fingerprint: fingerprintOf(material),
    material: revealDeep(material),
  };
}

/** The definition of a prompt that an answer is bound to, without icons and notes. */
function definitionOf({ name, title, description, arguments: args }: PromptInfo): JsonObject {
  return { name, title, description, arguments: args.map((each) => ({ ...each })) };
}

function common(client: CallingClient, { server }: ContentTarget): Pick<CallToolQuestion, 'kind' | 'asker' | 'server' | 'claims' | 'risk'> {
  return { kind: 'callTool', asker: shownAsker(askerOf(client)), server: revealInvisible(server), claims: [], risk: 'unknown' };
}
