import { z } from 'zod';

const text = z.string().catch('');

/** JSON text, or a status. */
const value = z.union([z.string(), z.number()]).nullish().catch(undefined);

const MismatchModel = z.looseObject({
  type: text,
  /** Pact's own words, which show values. */
  mismatch: text,
  path: text,
  /** The header. */
  key: text,
  expected: value,
  actual: value,
});

const FailureModel = z.looseObject({
  message: z.string().optional().catch(undefined),
  mismatches: z.array(MismatchModel).catch([]),
});

const NamedFailure = z.looseObject({ interaction: text, mismatch: FailureModel.catch({ mismatches: [] }) });

const ResultsModel = z.looseObject({
  interactionResults: z
    .array(
      z.looseObject({
        consumer: z.string().optional().catch(undefined),
        description: text,
        pending: z.boolean().catch(false),
        providerStates: z.array(z.string()).optional().catch(undefined),
        result: text,
        mismatch: FailureModel.optional().catch(undefined),
      }),
    )
    .catch([]),
  errors: z.array(NamedFailure).catch([]),
  pendingErrors: z.array(NamedFailure).catch([]),
});

/** A single difference between what a contract says and what was answered, as Pact tells it. */
export type Mismatch = z.infer<typeof MismatchModel>;

/** Why an interaction has failed: what differs, or that it could not be tried. */
export type Failure = z.infer<typeof FailureModel>;

/** One interaction that was tried. */
export interface InteractionResult {
  readonly consumer: string | undefined;
  readonly description: string;
  readonly pending: boolean;
  readonly states: readonly string[] | undefined;
  readonly failure: Failure | undefined;
}

export interface PactResults {
  readonly interactions: readonly InteractionResult[];
  /** What went wrong beside the interactions, such as a pact that could not be loaded. */
  readonly faults: readonly string[];
}

/** How Pact names an interaction that has failed; other names stand for what is none. */
const OF_INTERACTION = 'Verifying a pact between';

/** What a verifier has said. Its results are JSON without a promise of their form, so they are read with care. */
export function readPactResults(said: string): PactResults {
  const { success, data } = ResultsModel.safeParse(parsed(said));
  if (!success) return { interactions: [], faults: [`The verifier gives no results: ${said}`] };
  const apart = [...data.errors, ...data.pendingErrors];
  // The command line tells what failed apart from the interactions, and by name only.
  const takeFailureOf = (description: string) => {
    const index = apart.findIndex(({ interaction }) => interaction.endsWith(` - ${description}`));
    return index < 0 ? undefined : apart.splice(index, 1)[0]?.mismatch;
  };
  return {
    interactions: data.interactionResults.map(
      ({ consumer, description, pending, providerStates, result, mismatch }) => {
        const failure = result === 'OK' ? undefined : (mismatch ?? takeFailureOf(description) ?? { mismatches: [] });
        return { consumer, description, pending, states: providerStates, failure };
      },
    ),
    faults: data.errors
      .filter(({ interaction }) => !interaction.startsWith(OF_INTERACTION))
      .map(({ interaction, mismatch }) => mismatch.message ?? interaction),
  };
}

function parsed(said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return undefined;
  }
}
