import type { EditorResource } from './editorResource.ts';
import type { EditorTemplate } from './editorTemplate.ts';

export const workspaceResources: readonly EditorResource[] = [];

export const workspaceTemplates: readonly EditorTemplate[] = [];
