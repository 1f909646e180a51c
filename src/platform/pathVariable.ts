/** Where programs are looked for, in an environment; Windows writes the name as `Path`, and does not mind the case. */
export function pathVariable(env: Readonly<Record<string, string | undefined>>): { readonly name: string; readonly value: string } {
  const names = Object.keys(env).filter((name) => name.toUpperCase() === 'PATH' && env[name] !== undefined);
  const name = names.includes('PATH') ? 'PATH' : (names[0] ?? 'PATH');
  return { name, value: env[name] ?? '' };
}
