import type { EditorResource } from './editorResource.ts';
import type { EditorTemplate } from './editorTemplate.ts';

export const documentResources: readonly EditorResource[] = [];

export const documentTemplates: readonly EditorTemplate[] = [];
