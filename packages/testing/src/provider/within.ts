/**
 * What something gives, within a time.
 *
 * @throws {Error} with the sentence, where it takes longer; what it does then is nobody's concern.
 */
export async function within<Value>(
  milliseconds: number,
  sentence: string,
  doIt: () => Value | Promise<Value>,
): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(sentence)), milliseconds);
  try {
    return await Promise.race([doIt(), late]);
  } finally {
    clearTimeout(timer);
  }
}
