import type { Event } from '../../../base/events.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Role } from '../../../contract/questions/role.ts';
import type { Completion, CompletionRequest, Resource, ResourceContent } from '../catalog/catalog.ts';
import type { ViewChanges } from './viewChanges.ts';
import type { EditorPort } from '../../seen/ports/editorPort.ts';
import type { EditorCall, EditorFor } from '../tools/tool.ts';
import type { PathNames } from '../../seen/withheld/pathNames.ts';

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
