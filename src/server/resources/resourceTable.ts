import type { Event } from '../../base/events.ts';
import type { JsonObject } from '../../base/json.ts';
import type { EditorPort } from '../ports.ts';
import { getDiagnostics } from '../tools/getDiagnostics.ts';
import { listOpenEditors } from '../tools/listOpenEditors.ts';
import { listWorkspaceFolders } from '../tools/listWorkspaceFolders.ts';
import type { Tool, ToolContext } from '../tools/tool.ts';

/** A resource is one JSON item equal to the output of its tool, called without arguments. */
export interface Resource {
  readonly uri: string;
  readonly listing: JsonObject;
  read(context: ToolContext): Promise<object> | object;
  changes(editor: EditorPort): Event<void>;
}

export const jsonMimeType = 'application/json';

/** Published URIs: additive only. */
export const resources: readonly Resource[] = [
  fromTool(
    listOpenEditors,
    'editor://open',
    'open-editors',
    'Open Editors',
    'The open editor tabs.',
    (editor) => editor.onDidChangeOpenEditors,
  ),
  fromTool(
    getDiagnostics,
    'diagnostics://workspace',
    'workspace-diagnostics',
    'Workspace Diagnostics',
    'Errors, warnings and hints of the workspace; the first 200, with the total.',
    (editor) => editor.onDidChangeDiagnostics,
  ),
  fromTool(
    listWorkspaceFolders,
    'workspace://folders',
    'workspace-folders',
    'Workspace Folders',
    'The folders open in the window.',
    (editor) => editor.onDidChangeWorkspaceFolders,
  ),
];

const byUri = new Map(resources.map((resource) => [resource.uri, resource]));

export function findResource(uri: string): Resource | undefined {
  return byUri.get(uri);
}

function fromTool(
  tool: Tool,
  uri: string,
  name: string,
  title: string,
  description: string,
  changes: (editor: EditorPort) => Event<void>,
): Resource {
  return {
    uri,
    listing: { uri, name, title, description, mimeType: jsonMimeType },
    read: (context) => {
      const call = tool.prepare({});
      if (call.kind === 'badArguments') {
        throw new Error(`${tool.name} needs arguments and cannot be a resource`);
      }
      return call.run(context);
    },
    changes,
  };
}
