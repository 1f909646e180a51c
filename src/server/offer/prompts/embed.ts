import { hasCode, messageOf } from '../../../base/errors.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { ResourceContent } from '../catalog/catalog.ts';
import { jsonMimeType } from '../resources/editorResource.ts';
import { mimeTypeOf } from '../resources/fileTemplate.ts';
import { resources, templates } from '../resources/resourceTable.ts';
import { cutAtLine, readBeginning, type TextRest } from '../tools/sourceText.ts';
import { outputOf, type EditorCall } from '../tools/tool.ts';
import { tools } from '../tools/toolTable.ts';
import { textPart, type PromptPart } from './editorPrompt.ts';

/** The longest text that is embedded in a prompt. */
const maxCharacters = 100_000;

/** Embeds a resource as this client may see it now. Rejects like reading the resource would. */
export async function embed(uri: string, context: EditorCall): Promise<PromptPart> {
  const content = await read(uri, context);
  if (content.kind === 'blob') {
    return { type: 'text', text: `(${uri} is not text.)` };
  }
  const { text, mimeType } = content.kind === 'json' ? { text: JSON.stringify(content.value), mimeType: jsonMimeType } : content;
  return { type: 'resource', resource: { uri, mimeType, text: shortened(text, uri) } };
}

/** Embeds a file or document by its client path. */
export async function embedDocument(path: string, { editor, call }: EditorCall): Promise<PromptPart> {
  const { uri, text, languageId, rest } = await readBeginning(editor.documents, path, maxCharacters, call.signal);
  return { type: 'resource', resource: { uri, mimeType: mimeTypeOf(languageId), text: withPointer(text, rest, uri) } };
}

/** Embeds a document, or a sentence in its place if it is binary or too large. */
export async function embedIfText(path: string, context: EditorCall): Promise<PromptPart> {
  try {
    return await embedDocument(path, context);
  } catch (error) {
    if (hasCode(error, 'editor.binary') || hasCode(error, 'editor.tooLarge')) {
      return textPart(`(Left out: ${messageOf(error)})`);
    }
    throw error;
  }
}

/** Embeds the answer of a tool, under the URI of the resource that shows the same. */
export async function embedTool(name: string, args: JsonObject, uri: string, context: EditorCall): Promise<PromptPart> {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) {
    throw new Error(`There is no tool ${name}.`);
  }
  const text = JSON.stringify(await outputOf(tool, args, context));
  return { type: 'resource', resource: { uri, mimeType: jsonMimeType, text: shortened(text, uri) } };
}

function read(uri: string, context: EditorCall): Promise<ResourceContent> | ResourceContent {
  const fixed = resources.find((resource) => resource.uri === uri);
  if (fixed !== undefined) {
    return fixed.read(context);
  }
  for (const template of templates) {
    const match = template.match(uri);
    if (match !== undefined) {
      return match.read(context);
    }
  }
  throw new Error(`There is no resource ${uri}.`);
}

function shortened(text: string, uri: string): string {
  const { shown, rest } = cutAtLine(text, maxCharacters);
  return withPointer(shown, rest, uri);
}

function withPointer(shown: string, rest: TextRest | undefined, uri: string): string {
  return rest === undefined ? shown : `${shown}\n[cut here: read ${uri} for the rest]`;
}
