import { Emitter } from '../../base/events.ts';
import { bindResource } from '../resources/editorResource.ts';
import { resources } from '../resources/resourceTable.ts';
import { bindTool, type EditorFor } from '../tools/tool.ts';
import { tools } from '../tools/toolTable.ts';
import type { EditorPort } from '../ports/editorPort.ts';
import type { Catalog, CatalogPart } from './catalog.ts';

const instructions =
  'Duplex shows you the VS Code window of the person you work for: open editors, diagnostics and workspace folders, live and with unsaved changes. ' +
  'The person approves each client in VS Code; a call that says "waiting for approval in VS Code" can be repeated once they have answered.';

/** The editor as a catalog. `editor` tells of changes; what a client sees comes from `editorFor`. */
export function createEditorCatalog(editor: EditorPort, editorFor: EditorFor): Catalog {
  const boundTools = tools.map((tool) => bindTool(tool, editorFor));
  const toolsByName = new Map(boundTools.map((tool) => [tool.name, tool]));
  const resourcesByUri = new Map(resources.map((resource) => [resource.uri, bindResource(resource, editorFor, editor)]));
  const listings = resources.map((resource) => resource.listing);
  const changed = new Emitter<CatalogPart>();
  return {
    instructions,
    tools: boundTools,
    prompts: [],
    templates: [],
    findTool: (name) => (typeof name === 'string' ? toolsByName.get(name) : undefined),
    findPrompt: () => undefined,
    listResources: () => listings,
    findResource: (uri) => resourcesByUri.get(uri),
    complete: () => Promise.resolve({ values: [] }),
    onDidChange: changed.event,
  };
}
