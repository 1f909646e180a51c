import { atMost } from '../../base/abort.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { type ContextSuggestion, maxSuggestions, type SuggestionTrigger } from '../../contract/chat/attachments.ts';
import type { PickableTool, ToolChange } from '../../contract/chat/contextBudget.ts';
import type { ContentOffers, ContentWish } from '../models/contentOffers.ts';
import type { Fillable } from './argumentForms.ts';
import { type ContextSources, type FoundContext, nameOfRef } from './contextSources.ts';

/** What happens when a suggestion is chosen. */
export type SuggestionAct =
  | { readonly kind: 'attach'; readonly found: FoundContext }
  | { readonly kind: 'wish'; readonly wish: ContentWish }
  | { readonly kind: 'fill'; readonly fillable: Fillable }
  | { readonly kind: 'pick' }
  | { readonly kind: 'tool'; readonly change: ToolChange };

export interface SuggestedThing {
  readonly suggestion: Omit<ContextSuggestion, 'id'>;
  readonly act: SuggestionAct;
}

export type ChoosableTool = Pick<PickableTool, 'serverId' | 'server' | 'tool' | 'description' | 'choice'>;

export interface SuggestionSources {
  readonly sources: ContextSources;
  readonly offers: (signal: AbortSignal) => Promise<ContentOffers>;
  readonly tools: () => readonly ChoosableTool[];
}

/** The longest time, in ms, that a list of suggestions waits for its sources; what comes later is left out. */
const maxWaitMs = 1_500;
/** The most characters of each text of a suggestion, such as its name or its description. */
const maxDetail = 200;
/** The most suggestions of one kind, so that files do not crowd out what servers have. */
const maxPerGroup = 20;

export async function suggest(
  from: SuggestionSources,
  trigger: SuggestionTrigger,
  query: string,
  signal: AbortSignal,
): Promise<readonly SuggestedThing[]> {
  switch (trigger) {
    case '@':
      return contextThings(from, query, signal);
    case '/':
      return matching(promptThings(await offered(from, signal)), query, maxSuggestions);
    case '#':
      return matching(from.tools().map(toolThing), query, maxSuggestions);
  }
}

/** The suggestions after `@`: first what the editor has at the moment, then files and folders, then resources of servers. */
async function contextThings(
  { sources, ...from }: SuggestionSources,
  query: string,
  signal: AbortSignal,
): Promise<readonly SuggestedThing[]> {
  const [present, files, offers] = await Promise.all([
    atMost(sources.present(signal), maxWaitMs, signal),
    atMost(sources.candidates(query, signal), maxWaitMs, signal),
    offered(from, signal),
  ]);
  const now = matching([...(present ?? []).map(foundThing), pickThing], query, maxSuggestions);
  const near = matching((files ?? []).map(foundThing), query, maxPerGroup);
  const ofServers = matching([...resourceThings(offers), ...templateThings(offers)], query, maxPerGroup);
  const room = Math.max(5, maxSuggestions - now.length - Math.min(ofServers.length, 8));
  return [...now, ...near.slice(0, room), ...ofServers].slice(0, maxSuggestions).map((thing) => markWithheld(thing, sources));
}

/** Marks a file that is withheld from clients. Only shown suggestions are marked, because this looks at the disk. */
function markWithheld(thing: SuggestedThing, sources: ContextSources): SuggestedThing {
  const { suggestion, act } = thing;
  return act.kind === 'attach' && sources.isWithheld(act.found.ref) ? { act, suggestion: { ...suggestion, isWithheld: true } } : thing;
}

async function offered({ offers }: Pick<SuggestionSources, 'offers'>, signal: AbortSignal): Promise<ContentOffers> {
  return (await atMost(offers(signal), maxWaitMs, signal)) ?? { resources: [], templates: [], prompts: [] };
}

function matching(things: readonly SuggestedThing[], query: string, limit: number): readonly SuggestedThing[] {
  return bestMatches(
    things,
    query,
    ({ suggestion: { name, server, kind } }) => [
      name,
      ...(server === undefined ? [] : [`${server} ${name}`, `${server}/${name}`]),
      ...(otherNames[kind] ?? []),
    ],
    limit,
  );
}

/** Words that people may type for suggestions without a name of their own. */
const otherNames: Partial<Record<ContextSuggestion['kind'], readonly string[]>> = {
  selection: ['selection'],
  editors: ['open editors'],
  diagnostics: ['problems', 'diagnostics', 'errors'],
  tests: ['test results'],
  terminal: ['terminal output'],
  changes: ['git changes', 'diff'],
  pick: ['file', 'image', 'picture'],
};

const pickThing: SuggestedThing = { suggestion: { kind: 'pick', name: '', detail: '' }, act: { kind: 'pick' } };

function foundThing(found: FoundContext): SuggestedThing {
  const { ref, count } = found;
  return {
    suggestion: {
      kind: ref.kind,
      name: shownShortly(nameOfRef(ref)),
      detail: '',
      ...(count === undefined ? {} : { count }),
    },
    act: { kind: 'attach', found },
  };
}

/** A resource and a template have their whole texts until the secrets in them are hidden: a cut would leave the beginning of one. */
function resourceThings({ resources }: ContentOffers): readonly SuggestedThing[] {
  return resources.map(({ serverId, server, uri, name, title, description }) => ({
    suggestion: {
      kind: 'resource',
      name: title ?? name,
      detail: description === '' ? uri : description,
      server: shownShortly(server),
    },
    act: { kind: 'wish', wish: { kind: 'resource', serverId, server, name: title ?? name, uri } },
  }));
}

function templateThings({ templates }: ContentOffers): readonly SuggestedThing[] {
  return templates.map((template) => ({
    suggestion: {
      kind: 'template',
      name: template.title ?? template.name,
      detail: template.uriTemplate,
      server: shownShortly(template.server),
    },
    act: { kind: 'fill', fillable: { kind: 'template', template } },
  }));
}

function promptThings({ prompts }: ContentOffers): readonly SuggestedThing[] {
  return prompts.map((prompt) => ({
    suggestion: {
      kind: 'prompt',
      name: shownShortly(prompt.name),
      detail: shownShortly(prompt.description || (prompt.title ?? '')),
      server: shownShortly(prompt.server),
    },
    act: { kind: 'fill', fillable: { kind: 'prompt', prompt } },
  }));
}

/** The suggestion of a tool. Choosing it pins the tool, choosing it again leaves it out, and a third time lets the chat decide. */
function toolThing({ serverId, server, tool, description, choice }: ChoosableTool): SuggestedThing {
  const next = { byItself: 'pinned', pinned: 'leftOut', leftOut: 'byItself' } as const;
  return {
    suggestion: {
      kind: 'tool',
      name: shownShortly(tool),
      detail: shownShortly(description),
      server: shownShortly(server),
      ...(choice === 'byItself' ? {} : { choice }),
    },
    act: { kind: 'tool', change: { serverId, tool, to: next[choice] } },
  };
}

/** Shortens a text to one line, with invisible characters written out. */
export function shownShortly(text: string): string {
  const near = text.slice(0, maxDetail * 2).replace(/\s+/g, ' ');
  return revealInvisible(near.length > maxDetail ? `${near.slice(0, maxDetail)}…` : near);
}

/**
 * How well `query` fits `text`: all of its characters have to occur in order. Larger is better; undefined when it does not fit.
 * Beginnings of words, adjacent characters and the last part of a path count more. The time is linear in the length of the text.
 */
export function fuzzyScore(query: string, text: string): number | undefined {
  if (query === '') {
    return 0;
  }
  const wanted = query.toLowerCase();
  const lower = text.slice(0, maxLength).toLowerCase();
  const nameStart = lower.lastIndexOf('/') + 1;
  const whole = lower.indexOf(wanted, nameStart);
  if (whole >= 0) {
    return 1_000 + (whole === nameStart ? 200 : isWordStart(text, whole) ? 100 : 0) - shortfall(lower, wanted);
  }
  const anywhere = lower.indexOf(wanted);
  if (anywhere >= 0) {
    return 600 + (isWordStart(text, anywhere) ? 100 : 0) - shortfall(lower, wanted);
  }
  const places = placesOf(wanted, lower);
  return places === undefined ? undefined : scoreOf(places, text, nameStart) - shortfall(lower, wanted);
}

/** The items that fit the query, the best first; equal ones keep their order. */
export function bestMatches<T>(items: readonly T[], query: string, textsOf: (item: T) => readonly string[], limit: number): readonly T[] {
  const scored: { readonly item: T; readonly score: number }[] = [];
  for (const item of items) {
    const scores = textsOf(item).flatMap((text) => fuzzyScore(query, text) ?? []);
    if (scores.length > 0) {
      scored.push({ item, score: Math.max(...scores) });
    }
  }
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ item }) => item);
}

/** The most characters of a text in which a query is looked for. */
const maxLength = 500;

/** Finds the characters of the query from the end of the text, so that a file's name wins over its folders. */
function placesOf(wanted: string, lower: string): readonly number[] | undefined {
  const places: number[] = [];
  let at = lower.length;
  for (let index = wanted.length - 1; index >= 0; index -= 1) {
    at = at === 0 ? -1 : lower.lastIndexOf(wanted.charAt(index), at - 1);
    if (at < 0) {
      return undefined;
    }
    places.unshift(at);
  }
  return places;
}

function scoreOf(places: readonly number[], text: string, nameStart: number): number {
  return places.reduce((sum, at, index) => {
    const isRun = index > 0 && places[index - 1] === at - 1;
    return sum + (isRun ? 12 : 0) + (isWordStart(text, at) ? 10 : 0) + (at >= nameStart ? 4 : 0);
  }, 0);
}

function isWordStart(text: string, at: number): boolean {
  const [before, here] = [text.charAt(at - 1), text.charAt(at)];
  return at === 0 || /[^\p{L}\p{N}]/u.test(before) || (/\p{Lu}/u.test(here) && !/\p{Lu}/u.test(before));
}

/** How much is taken off the score of a longer text, so that of two equal fits the shorter one wins. */
function shortfall(text: string, query: string): number {
  return Math.min(50, (text.length - query.length) / 4);
}
