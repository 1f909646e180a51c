import * as z from 'zod';
import { isJsonObject, type JsonObject } from '../../../base/json.ts';

/** A mistake in arguments: where it is and what it is. */
export interface ArgumentProblem {
  readonly parameter: string;
  readonly reason: string;
}

/** The most items of all lists in one call, whatever each list may have. */
export const maxItems = 2_000;
/** The most members of an object of which the names are looked at; no tool takes half as many. */
const maxMembers = 100;

/** Names that models know from other programs' tools, and what they are called here. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['file_path', 'path'],
  ['filePath', 'path'],
  ['content', 'newText'],
  ['new_string', 'newText'],
  ['newString', 'newText'],
  ['new_str', 'newText'],
  ['old_string', 'oldText'],
  ['oldString', 'oldText'],
  ['old_str', 'oldText'],
]);

type OwnNames = { readonly kind: 'named'; readonly args: unknown } | ({ readonly kind: 'badArguments' } & ArgumentProblem);

/**
 * Gives arguments the names of the schema where a model invented others. What has no alias in it stays the same object. An alias
 * beside the name that it stands for is refused: nobody could say which of them a person was asked about.
 */
export function withOwnNames(schema: z.core.$ZodType, value: unknown): OwnNames {
  return ownNamesIn(schema, value, '', { items: 0 });
}

/** `seen` counts the items of all lists: with too many, the call is refused whatever their members are called. */
function ownNamesIn(schema: z.core.$ZodType, value: unknown, path: string, seen: { items: number }): OwnNames {
  const type = unwrapped(schema);
  if (type instanceof z.ZodArray && Array.isArray(value)) {
    return inList(type.element, value, path, seen);
  }
  return type instanceof z.ZodObject && isJsonObject(value) ? inObject(type.shape, value, path, seen) : { kind: 'named', args: value };
}

function inList(element: z.core.$ZodType, items: readonly unknown[], path: string, seen: { items: number }): OwnNames {
  seen.items += items.length;
  if (seen.items > maxItems || !(unwrapped(element) instanceof z.ZodObject)) {
    return { kind: 'named', args: items };
  }
  const named: unknown[] = [];
  for (const [index, item] of items.entries()) {
    const own = ownNamesIn(element, item, `${path}${index}.`, seen);
    if (own.kind === 'badArguments') {
      return own;
    }
    named.push(own.args);
  }
  return { kind: 'named', args: named.every((item, index) => item === items[index]) ? items : named };
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

function inObject(shape: Shape, value: JsonObject, path: string, seen: { items: number }): OwnNames {
  const names = Object.keys(value);
  if (names.length > maxMembers) {
    return { kind: 'named', args: value };
  }
  const named = new Map<string, unknown>();
  for (const name of names) {
    const own = ownName(name, shape);
    if (own !== name && (named.has(own) || Object.hasOwn(value, own))) {
      return { kind: 'badArguments', parameter: `${path}${name}`, reason: `stands for ${own}: give only one of them` };
    }
    const member = shape[own];
    const inner = member === undefined ? undefined : ownNamesIn(member, value[name], `${path}${own}.`, seen);
    if (inner?.kind === 'badArguments') {
      return inner;
    }
    named.set(own, inner === undefined ? value[name] : inner.args);
  }
  return inEdits(shape, named, path) ?? { kind: 'named', args: isSame(named, value) ? value : Object.fromEntries(named) };
}

function isSame(named: ReadonlyMap<string, unknown>, value: JsonObject): boolean {
  return [...named].every(([name, member]) => Object.hasOwn(value, name) && value[name] === member);
}

/** The members of one edit. Models write them beside the path, where other programs' tools have them. */
const editMembers: readonly string[] = ['oldText', 'newText', 'replaceAll'];

function takesEdits(shape: Shape): boolean {
  return Object.hasOwn(shape, 'edits') && !Object.hasOwn(shape, 'oldText');
}

/** Makes a list of one edit of an old text that stands beside the path; `undefined` where there is none. */
function inEdits(shape: Shape, named: ReadonlyMap<string, unknown>, path: string): OwnNames | undefined {
  if (!named.has('oldText') || !takesEdits(shape)) {
    return undefined;
  }
  if (named.has('edits')) {
    return { kind: 'badArguments', parameter: `${path}oldText`, reason: 'stands for edits: give only one of them' };
  }
  const members = [...named];
  const edit = Object.fromEntries(members.filter(([name]) => editMembers.includes(name)));
  return { kind: 'named', args: { ...Object.fromEntries(members.filter(([name]) => !editMembers.includes(name))), edits: [edit] } };
}

function ownName(name: string, shape: Shape): string {
  if (Object.hasOwn(shape, name)) {
    return name;
  }
  const own = otherNames.get(name) ?? name.replaceAll(/_[a-z]/g, (part) => part.slice(1).toUpperCase());
  return Object.hasOwn(shape, own) || (takesEdits(shape) && editMembers.includes(own)) ? own : name;
}

/** The names that are valid where an unknown one stood. */
export function validNames(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  const type = unwrapped(schema);
  const [member, ...rest] = path;
  if (type instanceof z.ZodArray) {
    return validNames(type.element, rest);
  }
  if (!(type instanceof z.ZodObject)) {
    return [];
  }
  const shape: Shape = type.shape;
  const inner = member === undefined ? undefined : shape[String(member)];
  return inner === undefined ? Object.keys(shape) : validNames(inner, rest);
}

/** The schema behind `optional` and `default`. */
export function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? unwrapped(schema.unwrap()) : schema;
}
