import { requestRate } from '../requests.ts';

// Reads lists until it is ended.

const [origin = '', token = '', path = ''] = process.argv.slice(2);
process.send?.('');
process.once('disconnect', () => process.exit());
await requestRate({ origin, token, callers: 4, next: () => ({ path }) }, Number.POSITIVE_INFINITY);
