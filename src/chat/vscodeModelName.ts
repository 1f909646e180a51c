/** What tells a model of VS Code's from one of an endpoint, in a setting that may name either. */
const prefix = 'vscode:';

/** The setting's name of such a model. */
export function vscodeModelName({ vendor, id }: { readonly vendor: string; readonly id: string }): string {
  return `${prefix}${vendor}/${id}`;
}

export function isVscodeModelName(name: string): boolean {
  return name.startsWith(prefix);
}
