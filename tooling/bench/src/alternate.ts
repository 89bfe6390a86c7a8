/** A round of one of the things compared. It measures itself. */
export type Round = () => Promise<number>;

/**
 * Runs rounds in the order A B C C B A, turn after turn, so that load and drift of the machine affect all alike.
 *
 * @param warmUps rounds of each before, unmeasured: V8 compiles the code of a short request after thousands of them
 * @returns two values of each round per turn
 */
export async function alternate<Name extends string>(
  rounds: Readonly<Record<Name, Round>>,
  turns: number,
  warmUps = 1,
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const names = Object.keys(rounds) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  // oxlint-disable no-await-in-loop -- nothing else runs while a round is measured
  for (let round = 0; round < warmUps; round++) {
    for (const name of names) await rounds[name]();
  }
  for (let turn = 0; turn < turns; turn++) {
    for (const name of [...names, ...names.toReversed()]) values[name].push(await rounds[name]());
  }
  // oxlint-enable no-await-in-loop
  return values;
}

/** The milliseconds that some work takes. */
export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
