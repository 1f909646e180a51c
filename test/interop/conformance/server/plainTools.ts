import type { Emitter } from '../../../../src/base/events.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { CatalogPart, Tool } from '../../../../src/server/offer/catalog/catalog.ts';
import { AppError } from '../../../../src/base/errors.ts';
import { content, fixtureTool, pause, pixel, sound, text } from './fixtureTool.ts';

/** Kept word by word: the suite looks for each keyword in the list. */
const schema2020: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const image = { type: 'image', data: pixel, mimeType: 'image/png' };

/** Tools that answer without asking anybody. */
export function plainTools(changed: Emitter<CatalogPart>): readonly Tool[] {
  return [
    fixtureTool('test_simple_text', 'Answers with text', () => text('This is a simple text response for testing.')),
    fixtureTool('test_image_content', 'Answers with an image', () => content(image)),
    fixtureTool('test_audio_content', 'Answers with audio', () => content({ type: 'audio', data: sound, mimeType: 'audio/wav' })),
    fixtureTool('test_embedded_resource', 'Answers with a resource', () =>
      content({
        type: 'resource',
        resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' },
      }),
    ),
    fixtureTool('test_multiple_content_types', 'Answers with several kinds of content', () =>
      content({ type: 'text', text: 'Multiple content types test:' }, image, {
        type: 'resource',
        resource: { uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{"test":"data","value":123}' },
      }),
    ),
    fixtureTool('test_error_handling', 'Fails', () => {
      throw new AppError('fixture.failed', 'This tool intentionally returns an error for testing');
    }),
    fixtureTool('test_tool_with_logging', 'Logs three times', async (_args, call) => {
      call.log('info', 'Tool execution started');
      await pause(50, call.signal);
      call.log('info', 'Tool processing data');
      await pause(50, call.signal);
      call.log('info', 'Tool execution completed');
      return text('Tool with logging executed successfully');
    }),
    fixtureTool('test_logging_tool', 'Logs once', (_args, call) => {
      call.log('info', 'a line');
      return text('logged');
    }),
    fixtureTool('test_tool_with_progress', 'Reports progress three times', async (_args, call) => {
      call.reportProgress(0, 'Completed step 0 of 100', 100);
      await pause(50, call.signal);
      call.reportProgress(50, 'Completed step 50 of 100', 100);
      await pause(50, call.signal);
      call.reportProgress(100, 'Completed step 100 of 100', 100);
      return text('done');
    }),
    fixtureTool('test_trigger_tool_change', 'Changes the list of tools', () => {
      changed.fire('tools');
      return text('changed');
    }),
    fixtureTool('test_trigger_prompt_change', 'Changes the list of prompts', () => {
      changed.fire('prompts');
      return text('changed');
    }),
    fixtureTool('json_schema_2020_12_tool', 'Has a schema with everything in it', () => text('called'), { inputSchema: schema2020 }),
    fixtureTool('test_header_parameter', 'Has parameters that are mirrored in headers', (args) => text(JSON.stringify(args)), {
      inputSchema: {
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, query: { type: 'string' } },
        required: ['region'],
      },
    }),
  ];
}
