import { posix } from 'node:path';
import { decodedAddress } from '../../../base/addresses.ts';
import type { Event } from '../../../base/events.ts';
import type { Completion } from '../catalog/catalog.ts';
import type { EditorPort } from '../../seen/ports/editorPort.ts';
import type { EditorCall, EditorTool } from '../tools/tool.ts';
import { type EditorTemplate, jsonMimeType, readWithTool } from './editorResource.ts';

export interface PathTemplateDefinition {
  /** The part of the URI before the path, for example `diagnostics://file/`. */
  readonly start: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The tool whose answer for the path is the content of the resource. */
  readonly tool: EditorTool;
  /** Rejects if there is no such file. By default, every document that can be read is accepted. */
  check?(path: string, context: EditorCall): Promise<void>;
  changes(path: string, editor: EditorPort): Event<void>;
}

/** Makes the template `start{+path}`: a JSON resource for each file, with what the tool answers for it. */
export function definePathTemplate(definition: PathTemplateDefinition): EditorTemplate {
  const { start, name, title, description, tool } = definition;
  return {
    listing: { uriTemplate: `${start}{+path}`, name, title, description, mimeType: jsonMimeType },
    role: tool.role,
    match: (uri) => {
      const path = uri.startsWith(start) ? pathFromUri(uri.slice(start.length)) : undefined;
      if (path === undefined) {
        return undefined;
      }
      return {
        uri,
        paths: [path],
        read: (context) => readWithTool(tool, { path }, context),
        check: (context) => definition.check?.(path, context) ?? context.editor.documents.check(path),
        changes: (editor) => definition.changes(path, editor),
      };
    },
    complete: ({ argument }, context) => (argument.name === 'path' ? completePath(argument.value, context) : { values: [] }),
  };
}

/** Percent-encodes a path for a URI; slashes stay. */
export function pathToUri(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Decodes the path in a URI; returns `undefined` if it is empty or its percent-encoding is broken. */
export function pathFromUri(text: string): string | undefined {
  try {
    const path = decodeURIComponent(text);
    const isUri = /^[a-z][a-z0-9+.-]+:/i.test(path);
    return path === '' ? undefined : isUri ? path : posix.normalize(path);
  } catch {
    return undefined;
  }
}

/** The most paths of a completion. */
const maxValues = 100;

/** Completes a path with files of the workspace, encoded for a URI. */
export function completePath(value: string, context: EditorCall): Promise<Completion> {
  return completePrefix(decodedAddress(value), context, pathToUri);
}

export async function completePrefix(prefix: string, { editor, call }: EditorCall, form: (path: string) => string): Promise<Completion> {
  const { paths, isComplete } = await editor.documents.findPaths({ prefix, limit: maxValues }, call.signal);
  return { values: paths.map(form), hasMore: !isComplete };
}
