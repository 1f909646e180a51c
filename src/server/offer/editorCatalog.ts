// offer/: what is offered to clients: tools/, resources/ and prompts/, each entry a small file that asks the editor through
// seen/. catalog/ is how the protocol sees all of it; this file puts it together for VS Code.
import type { Event } from '../../base/events.ts';
import type { JsonObject } from '../../base/json.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import type { EditorPort } from '../seen/ports/editorPort.ts';
import { bindPrompt } from './prompts/editorPrompt.ts';
import { prompts } from './prompts/promptTable.ts';
import { bindResource } from './resources/editorResource.ts';
import { bindTemplateMatch } from './resources/editorTemplate.ts';
import { resources, templates } from './resources/resourceTable.ts';
import { bindTool, type EditorFor } from './tools/tool.ts';
import { tools } from './tools/toolTable.ts';
import { pathNames } from '../seen/withheld/pathNames.ts';
import type { Catalog, CatalogPart, Resource } from './catalog/catalog.ts';
import { completeWith, isFor } from './completion.ts';
import { instructions } from './instructions.ts';
import { followingGrants } from './resources/viewChanges.ts';
import type { Viewer } from '../seen/viewer.ts';

/** The editor as clients see it, and as it is when they act: then every use is judged anew. */
export interface EditorsForClients {
  readonly for: EditorFor;
  readonly toActFor: EditorFor;
}

/** The editor as a catalog. `editor` tells of changes and places; what a client sees comes from `editors`. */
export function createEditorCatalog(editor: EditorPort, editors: EditorsForClients, onDidChangeGrants?: Event<void>): Catalog {
  const editorFor = editors.for;
  const grantChanges = onDidChangeGrants ? [onDidChangeGrants] : [];
  const namesOf = pathNames(() => editor.listWorkspaceFolders());
  const boundTools = tools.map((tool) => bindTool(tool, tool.acts ? editors.toActFor : editorFor, namesOf));
  const toolsByName = new Map(boundTools.map((tool) => [tool.name, tool]));
  const resourcesByUri = new Map(resources.map((resource) => [resource.uri, resource]));
  const fixed = resources.map((resource) => resource.listing);
  const boundPrompts = prompts.map((prompt) => bindPrompt(prompt, editorFor));
  const promptsByName = new Map(boundPrompts.map((prompt) => [prompt.name, prompt]));
  const listFor = (viewer: Viewer): readonly JsonObject[] => [
    ...fixed,
    ...templates.filter((template) => isFor(viewer, template)).flatMap((template) => template.list?.(editorFor(viewer)) ?? []),
  ];
  const findResource = (uri: string, viewer: Viewer): Resource | undefined => {
    const viewChanges = followingGrants(() => editorFor(viewer), anyOf([...grantChanges, viewer.rights.onDidChange]));
    const resource = resourcesByUri.get(uri);
    if (resource !== undefined) {
      return bindResource(resource, editorFor, viewChanges);
    }
    for (const template of templates) {
      const match = template.match(uri);
      if (match !== undefined) {
        return bindTemplateMatch(template, match, { editorFor, viewChanges, namesOf });
      }
    }
    return undefined;
  };
  const listChanges = anyOf([...templates.flatMap((template) => template.listChanges?.(editor) ?? []), ...grantChanges]);
  return {
    instructions,
    tools: boundTools,
    prompts: boundPrompts,
    templates: templates.map((template) => template.listing),
    findTool: (name) => (typeof name === 'string' ? toolsByName.get(name) : undefined),
    findPrompt: (name) => (typeof name === 'string' ? promptsByName.get(name) : undefined),
    listResources: (viewer) => (viewer === undefined ? fixed : listFor(viewer)),
    findResource,
    complete: (request, call) => completeWith(request, { editor: editorFor(call.viewer), call }),
    onDidChange: (listener) => listChanges(() => listener('resources')),
    changesFor: (viewer) => whenListChanges(listChanges, viewer.rights.onDidChange, () => listFor(viewer)),
  };
}

/** Only when the client's own list is another one: the name of a withheld file is not told, nor that it was opened. */
function whenListChanges(changes: Event<void>, rights: Event<void>, list: () => readonly JsonObject[]): Event<CatalogPart> {
  return (listener) => {
    const listening = new DisposableStore();
    let seen = JSON.stringify(list());
    const update = (): boolean => {
      const before = seen;
      seen = JSON.stringify(list());
      return seen !== before;
    };
    listening.add(changes(() => (update() ? listener('resources') : undefined)));
    // That other rights mean other lists is told to the client by those who give them.
    listening.add(rights(() => update()));
    return listening;
  };
}

function anyOf(events: readonly Event<void>[]): Event<void> {
  return (listener) => {
    const listening = new DisposableStore();
    for (const event of events) {
      listening.add(event(() => listener()));
    }
    return listening;
  };
}
