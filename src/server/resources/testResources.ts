import type { EditorResource } from './editorResource.ts';
import type { EditorTemplate } from './editorTemplate.ts';

export const testResources: readonly EditorResource[] = [];

export const testTemplates: readonly EditorTemplate[] = [];
