import type { EditorResource } from './editorResource.ts';
import type { EditorTemplate } from './editorTemplate.ts';

export const languageResources: readonly EditorResource[] = [];

export const languageTemplates: readonly EditorTemplate[] = [];
