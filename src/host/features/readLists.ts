import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { PromptInfo, ResourceInfo, ResourceTemplateInfo } from '../shared/serverState.ts';

const maxArguments = 100;

/** Pure. What is usable of the lists a server gives: each name once, the first one counts. */
export function readPrompts(raw: readonly JsonObject[]): readonly PromptInfo[] {
  return unique(raw.flatMap(readPrompt), ({ name }) => name);
}

export function readResources(raw: readonly JsonObject[]): readonly ResourceInfo[] {
  return unique(raw.flatMap(readResource), ({ uri }) => uri);
}

export function readTemplates(raw: readonly JsonObject[]): readonly ResourceTemplateInfo[] {
  return unique(raw.flatMap(readTemplate), ({ uriTemplate }) => uriTemplate);
}

function readPrompt(raw: JsonObject): PromptInfo[] {
  const name = textOf(raw['name']);
  const given: unknown = raw['arguments'];
  const args: readonly unknown[] = Array.isArray(given) ? given : [];
  return name === undefined
    ? []
    : [
        {
          name,
          title: textOf(raw['title']),
          description: textOf(raw['description']) ?? '',
          arguments: unique(args.filter(isJsonObject).flatMap(readArgument), (each) => each.name).slice(0, maxArguments),
        },
      ];
}

function readArgument(raw: JsonObject): PromptInfo['arguments'][number][] {
  const name = textOf(raw['name']);
  return name === undefined ? [] : [{ name, description: textOf(raw['description']) ?? '', isRequired: raw['required'] === true }];
}

function readResource(raw: JsonObject): ResourceInfo[] {
  const uri = textOf(raw['uri']);
  const size = raw['size'];
  return uri === undefined
    ? []
    : [{ uri, ...common(raw, uri), size: typeof size === 'number' && Number.isFinite(size) && size >= 0 ? size : undefined }];
}

function readTemplate(raw: JsonObject): ResourceTemplateInfo[] {
  const uriTemplate = textOf(raw['uriTemplate']);
  return uriTemplate === undefined ? [] : [{ uriTemplate, ...common(raw, uriTemplate) }];
}

function common(raw: JsonObject, fallbackName: string): Omit<ResourceTemplateInfo, 'uriTemplate'> {
  return {
    name: textOf(raw['name']) ?? fallbackName,
    title: textOf(raw['title']),
    description: textOf(raw['description']) ?? '',
    mimeType: textOf(raw['mimeType']),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function unique<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [keyOf(item), item] as const).reverse()).values()].reverse();
}
