import type { Event } from '../../../base/events.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Role } from '../../../contract/questions/role.ts';
import type { Resource, ResourceContent } from '../catalog/catalog.ts';
import type { ViewChanges } from './viewChanges.ts';
import type { EditorPort } from '../../seen/ports/editorPort.ts';
import { outputOf, type EditorCall, type EditorFor, type EditorTool } from '../tools/tool.ts';

/** A resource of the editor with a fixed URI, before it is joined to one. */
export interface EditorResource {
  readonly uri: string;
  readonly role: Role;
  /** Its entry in `resources/list` for the newest revision. */
  readonly listing: JsonObject;
  read(context: EditorCall): Promise<ResourceContent> | ResourceContent;
  changes(editor: EditorPort): Event<void>;
}

export const jsonMimeType = 'application/json';

/** A resource that is one JSON item equal to the output of its tool, called without arguments. */
export function fromTool(
  tool: EditorTool,
  uri: string,
  name: string,
  title: string,
  description: string,
  changes: (editor: EditorPort) => Event<void>,
): EditorResource {
  return {
    uri,
    role: tool.role,
    listing: { uri, name, title, description, mimeType: jsonMimeType },
    read: (context) => readWithTool(tool, {}, context),
    changes,
  };
}

export async function readWithTool(tool: EditorTool, args: JsonObject, context: EditorCall): Promise<ResourceContent> {
  return { kind: 'json', value: await outputOf(tool, args, context) };
}

/** Joins a resource to the editor, as a client may see it. */
export function bindResource(resource: EditorResource, editorFor: EditorFor, viewChanges: ViewChanges): Resource {
  return {
    uri: resource.uri,
    role: resource.role,
    paths: [],
    read: (call) => resource.read({ editor: editorFor(call.viewer), call }),
    check: () => undefined,
    changes: viewChanges((editor) => resource.changes(editor)),
  };
}
