import esbuild from 'esbuild';
import { repositoryRoot } from '../run/repository.mjs';

let count = 0;

/** A program of the repository in which some modules, by the names they are imported under, are others. Anew at each call. */
export async function importWithFakes<T>(program: string, fakes: Readonly<Record<string, string>>): Promise<T> {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: repositoryRoot,
    stdin: { contents: program, resolveDir: repositoryRoot },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    plugins: [
      {
        name: 'withFakes',
        setup(build) {
          build.onResolve({ filter: /./ }, ({ path }) => (Object.hasOwn(fakes, path) ? { path, namespace: 'fake' } : undefined));
          build.onLoad({ filter: /./, namespace: 'fake' }, ({ path }) => ({ contents: fakes[path] ?? '' }));
        },
      },
    ],
  });
  count += 1;
  const text = Buffer.from(outputFiles[0]?.text ?? '').toString('base64');
  return (await import(`data:text/javascript;base64,${text}#${count}`)) as T;
}
