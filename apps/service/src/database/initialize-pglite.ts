// The process that pglite.ts starts to make a new database in the folder of its argument. It needs much memory, once.
import { PGlite } from '@electric-sql/pglite';

// Its own end, or that of the service.
process.once('disconnect', () => process.exit());
try {
  const pglite = await PGlite.create(process.argv[2]);
  await pglite.close();
} catch (error) {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  process.exitCode = 1;
  process.send?.({ code, syscall, message });
}
process.disconnect();
