import { HrTestingError } from '../../hr-testing-error.ts';

/** What went wrong between the kit and a broker, by what Pact's command line said of it. */
export function brokerFailure(what: string, output: string): HrTestingError {
  const remedy = /\b40[13] /.test(output)
    ? 'It refuses the token: set PACT_BROKER_TOKEN to one that is valid and may do this.'
    : output.includes('error sending request')
      ? 'It cannot be reached: look at PACT_BROKER_BASE_URL.'
      : `Pact's command line said:\n${output}`;
  return new HrTestingError('broker-failed', `The broker did not ${what}. ${remedy}`);
}
