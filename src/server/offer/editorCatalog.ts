// offer/: what is offered to clients: tools/, resources/ and prompts/, which ask the editor through seen/, and skills/. catalog/ is
// how the protocol sees them; this file puts them together for VS Code.
import type { Event } from '../../base/events.ts';
import type { JsonObject } from '../../base/json.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import { pathNames } from '../access/policyPaths.ts';
import { isEnough } from '../access/roles.ts';
import { telling } from '../access/spreadWork.ts';
import type { EditorPort } from '../seen/ports/editorPort.ts';
import type { Viewer } from '../seen/viewer.ts';
import type { Catalog, CatalogPart, Completion, CompletionRequest, Resource } from './catalog/catalog.ts';
import { bindPrompt } from './prompts/editorPrompt.ts';
import { completeArgument, prompts } from './prompts/promptTable.ts';
import { bindResource, bindTemplateMatch, type EditorTemplate, followingGrants } from './resources/editorResource.ts';
import { resources, templates } from './resources/resourceTable.ts';
import { skills } from './skills/skillTable.ts';
import { bindTool, type EditorCall, type EditorFor } from './tools/tool.ts';
import { debugTools, tools } from './tools/toolTable.ts';

/**
 * Makes the editor as one client sees it. In the one for acting, every single use is checked anew, because time may pass between a
 * look and the act.
 */
export interface EditorsForClients {
  readonly for: EditorFor;
  readonly toActFor: EditorFor;
}

/**
 * Makes the catalog of the editor. Changes and workspace folders come from `editor` itself, everything that a client sees from
 * `editors`.
 */
export function createEditorCatalog(editor: EditorPort, editors: EditorsForClients, onDidChangeGrants?: Event<void>): Catalog {
  const editorFor = editors.for;
  const grantChanges = onDidChangeGrants ? [onDidChangeGrants] : [];
  const namesOf = pathNames(() => editor.listWorkspaceFolders());
  const boundTools = tools.map((tool) => bindTool(tool, tool.acts ? editors.toActFor : editorFor, namesOf));
  const withoutDebugger = boundTools.filter(({ name }) => !debugTools.some((tool) => tool.name === name));
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
    get tools() {
      return editor.debug.isAvailable() ? boundTools : withoutDebugger;
    },
    prompts: boundPrompts,
    templates: templates.map((template) => template.listing),
    skills,
    findTool: (name: unknown) => (typeof name === 'string' ? toolsByName.get(name) : undefined),
    findPrompt: (name) => (typeof name === 'string' ? promptsByName.get(name) : undefined),
    listResources: (viewer) => (viewer === undefined ? fixed : listFor(viewer)),
    findResource,
    complete: (request, call) => completeWith(request, { editor: editorFor(call.viewer), call }),
    ...catalogChanges(editor, listChanges, listFor),
  };
}

/** What a client is told of: changes of the resources that it sees, and that there is a debugger now, or none any more. */
function catalogChanges(
  editor: EditorPort,
  listChanges: Event<void>,
  listFor: (viewer: Viewer) => readonly JsonObject[],
): Required<Pick<Catalog, 'onDidChange' | 'changesFor'>> {
  const ofTools: Event<CatalogPart> = (listener) => editor.debug.onDidChangeAvailable(() => listener('tools'));
  return {
    onDidChange: either((listener) => listChanges(() => listener('resources')), ofTools),
    changesFor: (viewer) => {
      const ofResources = whenListChanges(listChanges, viewer.rights.onDidChange, () => listFor(viewer));
      return either(ofResources, ofTools);
    },
  };
}

/** Fires only if the list that this client sees has changed. Otherwise it would learn that a withheld file was opened. */
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
    // When rights change, whoever changed them tells the client that its lists are different.
    // They may be those of many clients at once, so each looks when its turn comes.
    listening.add(rights(() => telling.run(() => !listening.isDisposed && update())));
    return listening;
  };
}

function either(...events: readonly Event<CatalogPart>[]): Event<CatalogPart> {
  return (listener) => {
    const listening = new DisposableStore();
    events.forEach((event) => listening.add(event(listener)));
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

/** The most values of a completion. */
const maxValues = 100;
const nothing: Completion = { values: [] };

async function completeWith(request: CompletionRequest, context: EditorCall): Promise<Completion> {
  const { ref } = request;
  if (ref.kind === 'prompt') {
    return bounded(await completeArgument(ref.name, request, context));
  }
  const template = templates.find(({ listing }) => listing.uriTemplate === ref.uri);
  return template === undefined || !isFor(context.call.viewer, template) ? nothing : bounded(await template.complete(request, context));
}

/** Whether a client's role is high enough for a template; otherwise the template is neither listed nor completed. */
function isFor({ rights }: Viewer, { role }: EditorTemplate): boolean {
  const own = rights.role();
  return own !== undefined && isEnough(own, role);
}

function bounded({ values, total, hasMore }: Completion): Completion {
  if (values.length <= maxValues) {
    return { values, total, hasMore };
  }
  return { values: values.slice(0, maxValues), total: total ?? values.length, hasMore: true };
}

/** Instructions for the model behind the client: what there is, and the rules that hold for all tools. */
const instructions = [
  'Duplex is the VS Code window of the person you work for, live: open editors, selection, diagnostics, files, symbols, Git changes, terminals and test results. What it returns includes unsaved changes, which files on disk do not have.',
  'Paths are relative to the workspace with forward slashes; in a workspace of several folders the first segment names the folder (list_workspace_folders). Absolute paths inside the workspace and file: URIs are accepted too.',
  'Lines and characters count from 1; the end of a range is exclusive.',
  'To see: read_file, read_symbol, list_directory, search_text, find_files, get_diagnostics, get_document_symbols, go_to_definition, find_references, get_git_changes, get_test_results. After a change, get_diagnostics with waitMs waits until the language service has settled; with scope "project" it checks all files. An answer holds 25,000 characters, or as many as maxChars says (at most 200,000): pass nextCursor as cursor for the rest; note says why something is missing.',
  'To act: propose_edit shows the person a diff, which they accept, accept in part or reject. Give edits as oldText (exactly as it stands there, occurring once) and newText, or as ranges; newText alone replaces or creates the file. propose_edits takes several files, also to create, move or delete, in one review: prefer it, and save: true, so that the person decides once. The answer holds text only where it is not what you proposed: continue from that. Pass expectedVersion from read_file so that nothing is overwritten that changed since.',
  'Roles: a reader looks, an editor also changes files, a runner also runs tests, tasks and commands. A call above the role asks the person. Calls may answer "waiting for approval in VS Code": the question stays open while you stay connected, so repeat the identical call later instead of trying another way. "denied" is an answer, too: do not work around it.',
  'Skills, the resources skill://duplex/NAME/SKILL.md, say for a whole job which calls need the fewest decisions of the person: read the one that fits before you begin.',
  'Resources are the same data to subscribe to. [redacted] stands for a secret that is not shown: never write it back into a file.',
].join('\n');
