import { requestRate } from '../requests.ts';

// Reads lists until it is ended.

const [origin = '', token = '', path = '', callers = '4', host] = process.argv.slice(2);
process.send?.('');
process.once('disconnect', () => process.exit());
const load = { origin, token, host, callers: Number(callers), next: () => ({ path }) };
await requestRate(load, Number.POSITIVE_INFINITY);
