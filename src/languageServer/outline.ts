import { pathToFileURL } from 'node:url';
import * as path from 'node:path';
import type { Node } from 'jsonc-parser/lib/esm/main.js';
import { findNodeAtLocation } from 'jsonc-parser/lib/esm/main.js';
import { inputsIn } from '../definitions/variables.ts';
import { type DocumentKind, inputsPath, propertyOf, rangeOf, serversIn, stringOf, treeOf } from './documents.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** One server in the outline of a document. */
export interface ServerSymbol {
  readonly name: string;
  readonly detail: string;
  readonly isRemote: boolean;
  readonly range: Range;
  readonly nameRange: Range;
}

/** The most characters of a server's command or host in the outline. */
const maxDetail = 80;

/**
 * The servers of a document, each with what it runs or where it is. No argument is shown: it may be a secret. Settings hold much
 * else, which VS Code's own outline shows and this one would take the place of.
 */
export function outlineOf(text: string, kind: DocumentKind): readonly ServerSymbol[] {
  const root = kind === 'settings' || kind === 'workspaceFile' ? undefined : treeOf(text);
  return (root === undefined ? [] : serversIn(root, kind)).map(({ name, keyNode, valueNode }) => {
    const url = valueNode && stringOf(valueNode, 'url')?.text;
    const command = valueNode && stringOf(valueNode, 'command')?.text;
    const end = valueNode === undefined ? rangeOf(keyNode).end : rangeOf(valueNode).end;
    return {
      name: name === '' ? '""' : name,
      detail: (command ?? hostOf(url ?? '')).slice(0, maxDetail),
      isRemote: url !== undefined,
      range: { start: keyNode.offset, end },
      nameRange: rangeOf(keyNode),
    };
  });
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

/** A place in a document that leads somewhere: to a file, or to the place of an input in the same document. */
export type DocumentLink = Range & ({ readonly file: string } | { readonly offset: number });

/** The links of a document. A path with a variable in it, and one of another machine, leads nowhere. */
export function linksOf(text: string, kind: DocumentKind): readonly DocumentLink[] {
  const root = treeOf(text);
  if (root === undefined) {
    return [];
  }
  const inputs = inputPlaces(root, kind);
  return serversIn(root, kind).flatMap(({ valueNode }) => {
    const tls = valueNode && propertyOf(valueNode, 'tls')?.valueNode;
    const files = [
      ...['command', 'envFile', 'cwd'].flatMap((key) => (valueNode && stringOf(valueNode, key)?.node) ?? []),
      ...['ca', 'cert', 'key'].flatMap((key) => (tls && stringOf(tls, key)?.node) ?? []),
    ];
    return [...files.flatMap(linkToFile), ...(valueNode === undefined ? [] : linksToInputs(valueNode, text, inputs))];
  });
}

function linkToFile(node: Node): readonly DocumentLink[] {
  const file = String(node.value);
  const isLocal = path.isAbsolute(file) && !/^[\\/]{2}/.test(file) && !file.includes('${');
  return isLocal ? [{ ...withinQuotes(node), file: pathToFileURL(file).href }] : [];
}

function withinQuotes({ offset, length }: Node): Range {
  return { start: offset + 1, end: offset + length - 1 };
}

function inputPlaces(root: Node, kind: DocumentKind): ReadonlyMap<string, number> {
  const pathOfInputs = inputsPath[kind];
  const list = pathOfInputs === undefined ? undefined : findNodeAtLocation(root, [...pathOfInputs]);
  const places = (list?.children ?? []).flatMap((each): (readonly [string, number])[] => {
    const id = stringOf(each, 'id');
    return id === undefined ? [] : [[id.text, id.node.offset]];
  });
  return new Map(places);
}

function linksToInputs(definition: Node, text: string, inputs: ReadonlyMap<string, number>): readonly DocumentLink[] {
  const { start, end } = rangeOf(definition);
  const written = [...text.slice(start, end).matchAll(/\$\{input:[^}"\\]{1,200}\}/g)];
  return written.flatMap(({ 0: whole, index }) => {
    const offset = inputs.get(inputsIn(whole)[0] ?? '');
    return offset === undefined ? [] : [{ start: start + index, end: start + index + whole.length, offset }];
  });
}
