import './parentWatch.ts';
import { createConnection } from 'vscode-languageserver/node';
import { serve } from './serve.ts';

serve(createConnection());
