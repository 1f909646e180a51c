import type { ArgumentsForm } from '../../contract/chat/attachments.ts';
import { chatError } from '../conversation/chatSentences.ts';
import type { ContentWish, OfferedPrompt, OfferedTemplate } from '../models/contentOffers.ts';

/** The port that asks a server for completions of an argument; a server without completions gives none. */
export interface Completions {
  complete(
    serverId: string,
    request: {
      readonly reference: { readonly kind: 'prompt'; readonly name: string } | { readonly kind: 'template'; readonly uriTemplate: string };
      readonly argument: { readonly name: string; readonly value: string };
      readonly context: Readonly<Record<string, string>>;
    },
    signal: AbortSignal,
  ): Promise<readonly string[]>;
}

export type Fillable =
  | { readonly kind: 'prompt'; readonly prompt: OfferedPrompt }
  | { readonly kind: 'template'; readonly template: OfferedTemplate };

/** The most arguments of a prompt, or variables of a template, that a form asks for; the rest is left out. */
export const maxFields = 50;

export function formOf(id: string, fillable: Fillable): ArgumentsForm {
  const fields =
    fillable.kind === 'prompt'
      ? fillable.prompt.arguments.map(({ name, description, isRequired }) => ({ name, description, isRequired }))
      : templateVariables(fillable.template.uriTemplate).map((name) => ({ name, description: '', isRequired: true }));
  const { server, name, description } = fillable.kind === 'prompt' ? fillable.prompt : fillable.template;
  return { id, kind: fillable.kind, name, server, description, fields: fields.slice(0, maxFields) };
}

export function needsForm(fillable: Fillable): boolean {
  return formOf('', fillable).fields.length > 0;
}

/** The resource or prompt that a filled form asks for. Throws when a required field is empty; other empty fields are not sent. */
export function wishOf(fillable: Fillable, values: Readonly<Record<string, string>>): ContentWish {
  const given = formOf('', fillable).fields.flatMap(({ name, isRequired }): [string, string][] => {
    const value = Object.hasOwn(values, name) ? (values[name] ?? '') : '';
    if (isRequired && value === '') {
      throw chatError('chat.argumentMissing', { name });
    }
    return value === '' ? [] : [[name, value]];
  });
  const filled = Object.fromEntries(given);
  if (fillable.kind === 'prompt') {
    const { serverId, server, name, description } = fillable.prompt;
    return { kind: 'prompt', serverId, server, name, description, arguments: filled };
  }
  const { serverId, server, uriTemplate } = fillable.template;
  const uri = expandTemplate(uriTemplate, filled);
  return { kind: 'resource', serverId, server, name: uri, uri };
}

export function completionReference(fillable: Fillable): Parameters<Completions['complete']>[1]['reference'] {
  return fillable.kind === 'prompt'
    ? { kind: 'prompt', name: fillable.prompt.name }
    : { kind: 'template', uriTemplate: fillable.template.uriTemplate };
}

/** The names in the braces of a URI template, each once. */
export function templateVariables(template: string): readonly string[] {
  const names = [...template.matchAll(expression)].flatMap(({ 1: inside = '' }) => partsOf(inside).names);
  return [...new Set(names)];
}

const expression = /\{([^{}]{1,200})\}/g;

/** Expands a URI template (RFC 6570), with one text for each variable. */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(expression, (_, inside: string) => {
    const { operator, names } = partsOf(inside);
    const { before, between, isNamed, keepsReserved } = operators[operator] ?? operators[''];
    const given = names.flatMap((name): string[] => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) {
        return [];
      }
      const text = keepsReserved ? encodeURI(value) : encodeAll(value);
      return [isNamed ? `${name}=${text}` : text];
    });
    return given.length === 0 ? '' : `${before}${given.join(between)}`;
  });
}

interface Operator {
  readonly before: string;
  readonly between: string;
  readonly isNamed: boolean;
  readonly keepsReserved: boolean;
}

const plain = { isNamed: false, keepsReserved: false };
const operators: Readonly<Record<string, Operator>> & { readonly '': Operator } = {
  '': { before: '', between: ',', ...plain },
  '+': { before: '', between: ',', isNamed: false, keepsReserved: true },
  '#': { before: '#', between: ',', isNamed: false, keepsReserved: true },
  '.': { before: '.', between: '.', ...plain },
  '/': { before: '/', between: '/', ...plain },
  ';': { before: ';', between: ';', isNamed: true, keepsReserved: false },
  '?': { before: '?', between: '&', isNamed: true, keepsReserved: false },
  '&': { before: '&', between: '&', isNamed: true, keepsReserved: false },
};

function partsOf(inside: string): { readonly operator: string; readonly names: readonly string[] } {
  const operator = /^[+#./;?&]/.exec(inside)?.[0] ?? '';
  const names = inside
    .slice(operator.length)
    .split(',')
    .map((name) => name.replace(/(?:\*|:\d{1,4})$/, '').trim())
    .filter((name) => name !== '');
  return { operator, names };
}

function encodeAll(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
