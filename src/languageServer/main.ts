import { createConnection } from 'vscode-languageserver/node';
import { serve } from './serve.ts';

// The library looks for a dead parent every few seconds; a broken channel says so at once.
process.on('disconnect', () => process.exit());
serve(createConnection());
