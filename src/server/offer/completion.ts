import { isEnough } from '../access/roles.ts';
import { completeArgument } from './prompts/promptTable.ts';
import type { EditorTemplate } from './resources/editorTemplate.ts';
import { templates } from './resources/resourceTable.ts';
import type { EditorCall } from './tools/tool.ts';
import type { Completion, CompletionRequest } from './catalog/catalog.ts';
import type { Viewer } from '../seen/viewer.ts';

const maxValues = 100;
const nothing: Completion = { values: [] };

export async function completeWith(request: CompletionRequest, context: EditorCall): Promise<Completion> {
  const { ref } = request;
  if (ref.kind === 'prompt') {
    return bounded(await completeArgument(ref.name, request, context));
  }
  const template = templates.find(({ listing }) => listing.uriTemplate === ref.uri);
  return template === undefined || !isFor(context.call.viewer, template) ? nothing : bounded(await template.complete(request, context));
}

/** What needs a higher role is neither listed nor completed. */
export function isFor({ rights }: Viewer, { role }: EditorTemplate): boolean {
  const own = rights.role();
  return own !== undefined && isEnough(own, role);
}

function bounded({ values, total, hasMore }: Completion): Completion {
  if (values.length <= maxValues) {
    return { values, total, hasMore };
  }
  return { values: values.slice(0, maxValues), total: total ?? values.length, hasMore: true };
}
