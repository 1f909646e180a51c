import { getTestResults } from './getTestResults.ts';
import { runTests } from './runTests.ts';
import type { EditorTool } from './tool.ts';

export const testTools: readonly EditorTool[] = [getTestResults, runTests];
