import type { Event } from '../../../base/events.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Role } from '../../../contract/questions/rolesAndClaims.ts';
import type { PathNames } from '../../access/policyPaths.ts';
import type { EditorPort } from '../../seen/ports/editorPort.ts';
import type { Completion, CompletionRequest, Resource, ResourceContent } from '../catalog/catalog.ts';
import { type EditorCall, type EditorFor, type EditorTool, outputOf } from '../tools/tool.ts';

/** A resource with a fixed URI that is not yet bound to an editor. */
export interface EditorResource {
  readonly uri: string;
  readonly role: Role;
  /** The entry in `resources/list`, for the newest revision. */
  readonly listing: JsonObject;
  read(context: EditorCall): Promise<ResourceContent> | ResourceContent;
  changes(editor: EditorPort): Event<void>;
}

export const jsonMimeType = 'application/json';

/** Makes a resource whose content is the JSON that a tool answers when it is called without arguments. */
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

/** Binds a resource to the editor, as each client may see it. */
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

/** A URI template for many resources that are not yet bound to an editor. */
export interface EditorTemplate {
  /** The entry in `resources/templates/list` for the newest revision, with its `uriTemplate`. */
  readonly listing: JsonObject;
  readonly role: Role;
  /** Recognizes a URI by its form alone; nothing is looked up. */
  match(uri: string): TemplateMatch | undefined;
  /** The entries of this template in `resources/list`, as the client may see them. Without it, none are listed. */
  list?(editor: EditorPort): readonly JsonObject[];
  /** Fires when the result of `list` changes. */
  listChanges?(editor: EditorPort): Event<void>;
  complete(request: CompletionRequest, context: EditorCall): Promise<Completion> | Completion;
}

export interface TemplateMatch {
  /** The URI as the client spelled it: clients compare the URI of a notification with the one they subscribed to. */
  readonly uri: string;
  /** The client paths that the resource is about. */
  readonly paths: readonly string[];
  /** Rejects with an error that `isNotFound` recognizes if there is nothing that this client may see. */
  read(context: EditorCall): Promise<ResourceContent> | ResourceContent;
  /** Rejects like `read` would, without reading. */
  check(context: EditorCall): Promise<void> | void;
  changes(editor: EditorPort): Event<void>;
}

/** Binds one resource of a template to the editor, as each client may see it. */
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

/**
 * Follows the changes of something in a client's view of the editor, also when that view changes because the person grants or
 * revokes something.
 */
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
