import { Pool } from 'undici';

/** How the reads of a round are asked for. */
export interface Load {
  readonly paths: readonly string[];
  /** How many are asked for in all, the paths in turn. */
  readonly reads: number;
  /** How many at a time. */
  readonly readers: number;
}

/** Asks a server for all reads of a load, each to its end. */
export async function readAll(origin: string, token: string, { paths, reads, readers }: Load): Promise<void> {
  const pool = new Pool(origin, { connections: readers });
  const headers = { authorization: `Bearer ${token}` };
  let asked = 0;
  async function reader(): Promise<void> {
    while (asked < reads) {
      const path = paths[asked++ % paths.length] ?? '';
      // oxlint-disable-next-line no-await-in-loop -- a reader asks again when he has his answer
      const { statusCode, body } = await pool.request({ path, method: 'GET', headers });
      // oxlint-disable-next-line no-await-in-loop
      for await (const _ of body);
      if (statusCode !== 200) throw new Error(`${path} answers ${statusCode}.`);
    }
  }
  try {
    await Promise.all(Array.from({ length: readers }, reader));
  } finally {
    await pool.close();
  }
}
