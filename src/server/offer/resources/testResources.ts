import type { Event } from '../../../base/events.ts';
import { DisposableStore } from '../../../base/lifecycle.ts';
import type { EditorPort } from '../../seen/ports/editorPort.ts';
import { findRun, getTestResults, requireRun, outputUri, runUri } from '../tools/getTestResults.ts';
import type { EditorCall } from '../tools/tool.ts';
import { type EditorResource, type EditorTemplate, fromTool, jsonMimeType, readWithTool, type TemplateMatch } from './editorResource.ts';

export const testResources: readonly EditorResource[] = [
  fromTool(
    getTestResults,
    'tests://latest',
    'latest-test-run',
    'Latest Test Run',
    'The latest run of tests, whoever started it: status, counts, and each failure with file and line.',
    latestChanges,
  ),
];

export const testTemplates: readonly EditorTemplate[] = [
  {
    listing: {
      uriTemplate: 'tests://runs/{id}',
      name: 'test-run',
      title: 'Test Run',
      description:
        'One of the last runs of tests or tasks, while it runs and afterwards: status, counts, and each failure with file and line.',
      mimeType: jsonMimeType,
    },
    role: 'reader',
    match: (uri) => matchRun(uri, '', (id, context) => readWithTool(getTestResults, { runId: id }, context)),
    list: (editor) =>
      editor.tests.listRuns().map(({ id, command, startedAt }) => ({
        uri: runUri(id),
        name: id,
        title: command,
        description: `A run that started at ${startedAt}.`,
        mimeType: jsonMimeType,
      })),
    listChanges: (editor) => editor.tests.onDidChangeRuns,
    complete: completeRun,
  },
  {
    listing: {
      uriTemplate: 'tests://runs/{id}/output',
      name: 'test-run-output',
      title: 'Output of a Test Run',
      description: 'All that is kept of what a run wrote, without escape codes.',
      mimeType: 'text/plain',
    },
    role: 'reader',
    match: (uri) =>
      matchRun(uri, '/output', async (id, { editor }) => ({
        kind: 'text',
        text: (await findRun(editor.tests, id)).output,
        mimeType: 'text/plain',
      })),
    complete: completeRun,
  },
];

function matchRun(
  uri: string,
  end: string,
  read: (id: string, context: EditorCall) => ReturnType<TemplateMatch['read']>,
): TemplateMatch | undefined {
  const id = uri.startsWith(runUri('')) && uri.endsWith(end) ? uri.slice(runUri('').length, uri.length - end.length) : '';
  if (!/^[\w-]{1,200}$/.test(id)) {
    return undefined;
  }
  return {
    uri: end === '' ? runUri(id) : outputUri(id),
    paths: [],
    read: (context) => read(id, context),
    check: ({ editor }) => requireRun(editor.tests, id),
    changes: (editor) => (listener) =>
      editor.tests.onDidChangeRun((changed) => {
        if (changed === id) {
          listener();
        }
      }),
  };
}

function completeRun(
  { argument }: { readonly argument: { readonly name: string; readonly value: string } },
  { editor }: EditorCall,
): {
  readonly values: readonly string[];
} {
  const ids = argument.name === 'id' ? editor.tests.listRuns().map(({ id }) => id) : [];
  return { values: ids.filter((id) => id.startsWith(argument.value)) };
}

/** Fires when another run becomes the latest, and when the latest changes. */
function latestChanges({ tests }: EditorPort): Event<void> {
  return (listener) => {
    const listening = new DisposableStore();
    listening.add(tests.onDidChangeRuns(() => listener()));
    listening.add(
      tests.onDidChangeRun((id) => {
        if (tests.latestId() === id) {
          listener();
        }
      }),
    );
    return listening;
  };
}
