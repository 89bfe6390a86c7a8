import { z } from 'zod';
import { HrTestingError } from '../../hr-testing-error.ts';
import { brokerFailure } from './broker-failure.ts';
import type { BrokerRelease } from './broker-release.ts';
import { runBrokerCommand } from './run-broker-command.ts';

const Participant = z.object({ name: z.string(), version: z.object({ number: z.string().nullish() }).nullish() });

/** What is read of the broker's answer. */
const Verdict = z.object({
  summary: z.object({ deployable: z.boolean().nullable(), reason: z.string() }),
  matrix: z.array(
    z.object({
      consumer: Participant,
      provider: Participant,
      verificationResult: z.object({ success: z.boolean().nullish() }).nullish(),
    }),
  ),
});

/**
 * Resolves when the broker says that a version goes with what is deployed in an environment.
 *
 * @throws {HrTestingError} `not-deployable` with what is missing when it does not; `broker-failed`, `missing-package`.
 * @example
 * await canIDeploy({ broker, participant: 'payroll-batch', version: '2.1.0', environment: 'production' });
 */
export async function canIDeploy({ broker, participant, version, environment }: BrokerRelease): Promise<void> {
  // Names and values stand apart: the command line overlooks `--pacticipant=…`, asks about nobody, and says yes.
  const about = ['--pacticipant', participant, '--version', version, '--to-environment', environment];
  const { ok, answer, output } = await runBrokerCommand(broker, ['can-i-deploy', ...about, '--output', 'json']);
  // With JSON a no is no failure of the command, so the verdict is read.
  const { data: verdict } = Verdict.safeParse(parsed(answer));
  if (!ok || !verdict) throw brokerFailure('say whether that may be deployed', output);
  if (verdict.summary.deployable === true) return;
  const rows = verdict.matrix.map(({ consumer, provider, verificationResult }) => {
    const outcome = { true: 'holds', false: 'does not hold', undefined: 'was not verified with' }[
      `${verificationResult?.success ?? undefined}`
    ];
    return `\n- ${nameOf(provider)} ${outcome} the pact of ${nameOf(consumer)}.`;
  });
  const message = `${participant} ${version} must not be deployed to ${environment}: ${verdict.summary.reason}`;
  throw new HrTestingError('not-deployable', `${message}${rows.join('')}`);
}

function nameOf({ name, version }: z.output<typeof Participant>): string {
  return version?.number ? `${name} ${version.number}` : name;
}

function parsed(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return undefined;
  }
}
