import type { ErrorArguments } from '../base/errors.ts';

/** `{name}` in a sentence becomes the argument of that name: the same form that `vscode.l10n.t` takes. */
export function fillTemplate(template: string, args: ErrorArguments = {}): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(args, name) ? String(args[name]) : whole));
}
