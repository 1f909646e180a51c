/**
 * To be imported first: the library looks every three seconds whether the process lives that it is told of here, as soon as it is
 * loaded. A broken channel says so at once.
 */
process.argv = process.argv.filter((argument) => !argument.startsWith('--clientProcessId'));
process.on('disconnect', () => process.exit());
