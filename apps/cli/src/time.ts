import type { Context } from './context.ts';
import { bookingKind } from './output/record-kinds.ts';

/** `hr time bookings`. */
export async function bookings(context: Context, days: { from?: string; to?: string }): Promise<void> {
  const hr = await context.client();
  await context.write(bookingKind, hr.time.bookings(days, { signal: context.signal, timeout: false }));
}
