import { company, personOf } from '@hr/testing/fixtures';
import { personKind } from '../src/output/record-kinds.ts';
import { writeRecords, type OutputFlags } from '../src/output/write-records.ts';

/** A program that prints a number of persons with the flags that its arguments are. */
const [count, flags = '{}'] = process.argv.slice(2);
function* persons(): Generator<ReturnType<typeof personOf>, void, void> {
  for (const member of company({ persons: Number(count), months: 1, timeDays: 0 })) yield personOf(member);
}
await writeRecords(process, JSON.parse(flags) as OutputFlags, personKind, persons());
