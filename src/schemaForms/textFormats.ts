import type { FormField } from '../contract/forms/formFields.ts';

type TextFormat = Extract<FormField, { type: 'text' }>['format'];

/** Rough on purpose: the server checks what it asked for; this only catches slips. */
export function hasFormat(format: TextFormat, value: string): boolean {
  switch (format) {
    case 'plain':
      return true;
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(value);
    case 'uri':
      return URL.canParse(value);
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
    case 'dateTime':
      return /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value));
  }
}
