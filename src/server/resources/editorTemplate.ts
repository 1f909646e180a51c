import type { Event } from '../../base/events.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Role } from '../../contract/questions.ts';
import type { Completion, CompletionRequest, ResourceContent } from '../catalog/catalog.ts';
import type { EditorPort } from '../ports/editorPort.ts';
import type { EditorCall } from '../tools/tool.ts';

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
  /** In its one spelling: two spellings of one file are one subscription. */
  readonly uri: string;
  /** Client paths it is about. */
  readonly paths: readonly string[];
  /** Rejects with `editor.pathNotFound` when nothing is there, or nothing this client may see. */
  read(context: EditorCall): Promise<ResourceContent> | ResourceContent;
  /** Rejects like `read`, without reading. */
  check(context: EditorCall): Promise<void> | void;
  changes(editor: EditorPort): Event<void>;
}
