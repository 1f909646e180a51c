import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { SchemaField } from '../../schemaForms/schemaField.ts';

/** JSON, `name=value` pairs, or, for a tool with a single text argument, just the text. */
export function readArguments(rest: string, parameters: SchemaField): JsonObject | undefined {
  const text = rest
    .replace(/^[`"'“”]/, '')
    .trim()
    .replace(/^(?:with|using)\b\s*/i, '')
    .replace(/^(?:the\s+)?(?:arguments?|args)\b[:\s]*/i, '')
    .replace(/^:\s*/, '');
  if (/^(?:tool|now)?[\s.?!]*$/i.test(text)) {
    return {};
  }
  if (text.startsWith('{')) {
    return parseObject(text.slice(0, text.lastIndexOf('}') + 1));
  }
  const pairs = [...text.matchAll(/([\w.-]+)=("[^"]*"|\S+)/g)];
  if (pairs.length > 0) {
    return Object.fromEntries(
      pairs.map(([, name = '', value = '']) => [name, typed(value.replace(/^"|"$/g, ''), typeOf(parameters, name))]),
    );
  }
  const [only, ...others] = parameters.required;
  const isText = only !== undefined && others.length === 0 && typeOf(parameters, only.name) === 'string';
  return isText ? { [only.name]: text.replace(/^["“'`]|["”'`]$/g, '') } : undefined;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function typeOf({ properties }: SchemaField, name: string): string | undefined {
  const types = properties?.find((field) => field.name === name)?.types ?? [];
  return types.length === 1 ? types[0] : undefined;
}

function typed(value: string, type: string | undefined): JsonValue {
  if ((type === 'number' || type === 'integer') && value !== '' && Number.isFinite(Number(value))) {
    return Number(value);
  }
  return type === 'boolean' && /^(?:true|false)$/.test(value) ? value === 'true' : value;
}
