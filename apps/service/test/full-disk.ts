import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Makes every write of this process to a file fail, as on a full disk, until the function that it gives is called. The
 * embedded database is in this process.
 */
export function fillDisk(): () => void {
  const { writeSync } = fs;
  fs.writeSync = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 });
  };
  syncBuiltinESMExports();
  return () => {
    fs.writeSync = writeSync;
    syncBuiltinESMExports();
  };
}
