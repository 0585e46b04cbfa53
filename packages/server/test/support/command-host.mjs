// Runs commands in one process, one after the other, as `command-session.ts` describes.
const CLI = process.argv[2];
const { PATH } = process.env;
for (const name of ['stdout', 'stderr']) process[name].setMaxListeners(0);

let count = 0;
process.on('message', async ({ argv, environment }) => {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    process[name].write = (chunk) => {
      written[name] += chunk;
      return true;
    };
  process.env = { PATH, ...environment };
  process.argv = [process.execPath, CLI, ...argv];
  process.exitCode = 0;
  // A new query in the URL makes Node run the module again. The modules that it imports stay loaded.
  await import(`${CLI}?${count++}`);
  process.send({ status: process.exitCode, ...written });
});
