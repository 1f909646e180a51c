import path from 'node:path';
import { repositoryRoot } from '../../support/run/repository.mjs';
import type { LaunchOptions } from './launchOptions.ts';

const notesServer = path.join(repositoryRoot, 'test/fixtures/servers/notesServer.mjs');

/** With everything that VS Code brings itself: what shows pictures and Markdown, and what debugs. Several files share it. */
export const fullWindow: LaunchOptions = {
  version: 'ceiling',
  workspace: 'demo',
  builtIns: 'all',
  viewport: { width: 1280, height: 800 },
  settings: {
    'duplex.mcpServers': {
      notes: { command: 'node', args: [notesServer, '${workspaceFolder}/README.md'] },
      mine: { command: 'node', args: ['${workspaceFolder}/mine.mjs'], dev: { watch: 'mine.mjs', debug: 'node' } },
    },
  },
};
