/**
 * Must be imported first. The library would poll every three seconds, as soon as it is loaded, whether the process in this
 * argument lives. A broken channel reports the same at once.
 */
process.argv = process.argv.filter((argument) => !argument.startsWith('--clientProcessId'));
process.on('disconnect', () => process.exit());
