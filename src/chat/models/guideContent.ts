import { unreachable } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { exampleArguments } from '../../schemaForms/toolArguments.ts';
import type { ContentOffers, OfferedPrompt, OfferedResource, OfferedTemplate } from './contentOffers.ts';
import type { AttachedBlock } from './modelProvider.ts';
import { schemaOf, type GuideContentRequest } from './guideRequest.ts';
import { codeBlock, boundedList, codeSpan, type GuideTexts, maxListed, paragraphs, plainWords, summary } from './guideTexts.ts';

/** What the guide says to a request for a resource or a prompt. */
export function replyToContent(asked: GuideContentRequest, offers: ContentOffers, say: GuideTexts): string {
  switch (asked.kind) {
    case 'send':
      return say(asked.wish.kind === 'resource' ? 'reading' : 'gettingPrompt', named(asked.wish));
    case 'list':
      return asked.what === 'resources' ? resourceList(offers, asked.server, say) : promptList(offers, asked.server, say);
    case 'unknownResource': {
      const near = asked.near.map((each) => `- ${codeSpan(readExample(each))}`).join('\n');
      return paragraphs(
        say('unknownResource', { name: plainWords(asked.name) }),
        near === '' ? resourceList(offers, undefined, say) : paragraphs(say('didYouMean'), near),
      );
    }
    case 'unknownPrompt': {
      const near = asked.near.map((each) => `- ${codeSpan(promptExample(each))}`).join('\n');
      return paragraphs(
        say('unknownPrompt', { name: plainWords(asked.name) }),
        near === '' ? promptList(offers, undefined, say) : paragraphs(say('didYouMean'), near),
      );
    }
    case 'ambiguousResource':
      return paragraphs(say('ambiguousContent', { name: plainWords(asked.name) }), boundedList(asked.matches, readOfServer, say));
    case 'unlistedResource':
      return paragraphs(say('unlistedResource', { name: plainWords(asked.name) }), boundedList(asked.matches, readOfServer, say));
    case 'ambiguousPrompt':
      return paragraphs(
        say('ambiguousContent', { name: plainWords(asked.name) }),
        boundedList(asked.matches, (each) => longPromptExample(each), say),
      );
    case 'fillTemplate':
      return paragraphs(say('fillTemplate', named(asked.template)), codeBlock(templateExample(asked.template)));
    case 'promptNeeds':
      return paragraphs(
        say('promptNeeds', { ...named(asked.prompt), names: asked.missing.map(codeSpan).join(', ') }),
        codeBlock(longPromptExample(asked.prompt, asked.given)),
      );
    case 'badPromptArguments':
      return paragraphs(say('badPromptArguments', named(asked.prompt)), codeBlock(longPromptExample(asked.prompt)));
    default:
      return unreachable(asked);
  }
}

/**
 * What the guide says about how sending a resource or prompt ended. It quotes nothing: the content is on the card, and secrets that the
 * person kept in it are for the model alone.
 */
function reportContent(attached: AttachedBlock, say: GuideTexts): string {
  const names = named(attached.source);
  switch (attached.outcome) {
    case 'sent':
      return say('contentSent', names);
    case 'denied':
      return say('contentDenied', names);
    case 'deniedBefore':
      return say('contentDeniedBefore', names);
    case 'failed':
      return say('contentFailed', names);
    case 'cancelled':
      return say('contentCancelled', names);
  }
}

/** What the guide says about everything that came with a message: the person's attachments in one line, then each of a server's. */
export function reportAttached(attached: readonly AttachedBlock[], say: GuideTexts): string {
  const own = attached.filter(({ source }) => source.kind === 'attachment');
  const names = (blocks: readonly AttachedBlock[]): string => blocks.map((each) => nameOfOwn(each, say)).join(', ');
  const [sent, unsent] = [own.filter(({ outcome }) => outcome === 'sent'), own.filter(({ outcome }) => outcome !== 'sent')];
  return paragraphs(
    sent.length === 0 ? '' : say('attachedNow', { names: names(sent) }),
    unsent.length === 0 ? '' : say('attachedUnsent', { names: names(unsent) }),
    ...attached.filter(({ source }) => source.kind !== 'attachment').map((each) => reportContent(each, say)),
    own.length === 0 ? '' : say('attachedNext'),
  );
}

function nameOfOwn({ source: { name, what = 'file' } }: AttachedBlock, say: GuideTexts): string {
  return name === '' ? say('attachedThing', { kind: what }) : codeSpan(name);
}

function resourceList({ resources, templates }: ContentOffers, server: string | undefined, say: GuideTexts): string {
  const plainOnes = resources.map((each) => ({ server: each.server, line: lineOf(each.uri, each.title ?? each.name) }));
  const patterns = templates.map((each) => ({ server: each.server, line: lineOf(each.uriTemplate, each.title ?? each.name) }));
  const lines = ofServer([...plainOnes, ...patterns], server);
  const [first] = ofServer(resources, server);
  const next = first === undefined ? '' : say('readNext', { example: plainWords(first.uri) });
  return lines.length === 0 ? say('noResources') : paragraphs(say('resourcesTitle'), byServer(lines, say), next);
}

function promptList({ prompts }: ContentOffers, server: string | undefined, say: GuideTexts): string {
  const shown = ofServer(prompts, server);
  const lines = shown.map((each) => ({ server: each.server, line: lineOf(`/${each.name}`, each.description || (each.title ?? '')) }));
  const [first] = [...shown].sort((one, other) => one.arguments.length - other.arguments.length);
  return first === undefined
    ? say('noPrompts')
    : paragraphs(say('promptsTitle'), byServer(lines, say), say('promptNext', { example: plainWords(promptExample(first).slice(1)) }));
}

function lineOf(name: string, about: string): string {
  return `- ${codeSpan(name)} ${summary(about)}`.trimEnd();
}

interface ListedLine {
  readonly server: string;
  readonly line: string;
}

function byServer(lines: readonly ListedLine[], say: GuideTexts): string {
  return [...new Set(lines.map(({ server }) => server))]
    .map((server) => {
      const own = lines.filter((each) => each.server === server).map(({ line }) => line);
      const left = own.length - maxListed;
      const more = left > 0 ? [`- ${say('listMore', { count: left })}`] : [];
      return [say('toolsOfServer', { server: plainWords(server), count: own.length }), '', ...own.slice(0, maxListed), ...more].join('\n');
    })
    .join('\n\n');
}

/** What one server offers, or all of it when no server has that name. */
function ofServer<T extends { readonly server: string }>(offered: readonly T[], server: string | undefined): readonly T[] {
  const wanted = offered.filter((each) => each.server.toLowerCase() === server?.toLowerCase());
  return wanted.length > 0 ? wanted : offered;
}

function readExample({ uri }: OfferedResource): string {
  return `read ${uri}`;
}

function readOfServer({ uri, server }: { readonly uri: string; readonly server: string }): string {
  return `read ${uri} of ${server}`;
}

function templateExample({ uriTemplate, server }: OfferedTemplate): string {
  return readOfServer({ uri: uriTemplate.replace(/\{[^{}]{0,1000}\}/g, '1'), server });
}

/** A short example of using a prompt: `/name city="Paris"`. */
function promptExample(prompt: OfferedPrompt): string {
  const args = Object.keys(exampleArguments(schemaOf(prompt))).map((name) => ` ${name}="…"`);
  return `/${prompt.name}${args.join('')}`;
}

function longPromptExample(prompt: OfferedPrompt, given: JsonObject = {}): string {
  const args = { ...exampleArguments(schemaOf(prompt)), ...given };
  return `prompt ${prompt.name} of ${prompt.server}${Object.keys(args).length === 0 ? '' : ` with ${JSON.stringify(args)}`}`;
}

function named({ name, server }: { readonly name: string; readonly server: string }): { readonly name: string; readonly server: string } {
  return { name: codeSpan(name), server: `**${plainWords(server)}**` };
}
