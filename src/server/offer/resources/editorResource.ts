import type { Event } from '../../../base/events.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Role } from '../../../contract/questions/rolesAndClaims.ts';
import type { PathNames } from '../../access/policyPaths.ts';
import type { EditorPort } from '../../seen/ports/editorPort.ts';
import type { Completion, CompletionRequest, Resource, ResourceContent } from '../catalog/catalog.ts';
import { type EditorCall, type EditorFor, type EditorTool, outputOf } from '../tools/tool.ts';

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

/** Many resources of the editor under one URI template, before they are joined to it. */
export interface EditorTemplate {
  /** Its entry in `resources/templates/list` for the newest revision; `uriTemplate` is in it. */
  readonly listing: JsonObject;
  readonly role: Role;
  /** By shape alone; nothing is looked up. */
  match(uri: string): TemplateMatch | undefined;
  /** Entries of `resources/list`, for those that are listed, as this client may see them. */
  list?(editor: EditorPort): readonly JsonObject[];
  /** Fires when `list` would answer otherwise. */
  listChanges?(editor: EditorPort): Event<void>;
  complete(request: CompletionRequest, context: EditorCall): Promise<Completion> | Completion;
}

export interface TemplateMatch {
  /** As the client spelled it: clients look for the URI they subscribed to in what they are told. */
  readonly uri: string;
  /** Client paths it is about. */
  readonly paths: readonly string[];
  /** Rejects with what `isNotFound` knows when nothing is there, or nothing this client may see. */
  read(context: EditorCall): Promise<ResourceContent> | ResourceContent;
  /** Rejects like `read`, without reading. */
  check(context: EditorCall): Promise<void> | void;
  changes(editor: EditorPort): Event<void>;
}

/** Joins one resource of a template to the editor, as a client may see it. */
export function bindTemplateMatch(
  { role }: EditorTemplate,
  match: TemplateMatch,
  { editorFor, viewChanges, namesOf }: { readonly editorFor: EditorFor; readonly viewChanges: ViewChanges; readonly namesOf: PathNames },
): Resource {
  return {
    uri: match.uri,
    role,
    paths: match.paths.flatMap(namesOf),
    read: (call) => match.read({ editor: editorFor(call.viewer), call }),
    check: (call) => match.check({ editor: editorFor(call.viewer), call }),
    changes: viewChanges((editor) => match.changes(editor)),
  };
}

/** Changes of something as a client may see it, also after a person lifted something for it or took that back. */
type ViewChanges = (changes: (editor: EditorPort) => Event<void>) => Event<void>;

export function followingGrants(view: () => EditorPort, onDidChangeGrants: Event<void> | undefined): ViewChanges {
  return (changes) => (listener) => {
    let seen = view();
    let inner = changes(seen)(listener);
    const grants = onDidChangeGrants?.(() => {
      const now = view();
      if (now !== seen) {
        seen = now;
        inner.dispose();
        inner = changes(now)(listener);
        listener();
      }
    });
    return {
      dispose: () => {
        grants?.dispose();
        inner.dispose();
      },
    };
  };
}
