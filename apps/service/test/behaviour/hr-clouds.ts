import { startFakeHrCloud } from '@hr/testing/fake';
import { startProviderUnderTest, type ProviderUnderTest } from '../contracts/provider-under-test.ts';
import { drivers, emptyDatabase, type Driver } from '../drivers.ts';

/** An HR cloud that can load a scenario. */
export interface HrCloud extends Pick<ProviderUnderTest, 'url' | 'load' | 'token' | 'tokenWithoutScope' | 'stop'> {
  readonly name: string;
}

/** Starts all of them. The responses of the first one are right. */
export async function startHrClouds(): Promise<readonly HrCloud[]> {
  return Promise.all([...drivers.map(startService), startFake()]);
}

export async function startService(driver: Driver): Promise<HrCloud> {
  const { url, remove } = await emptyDatabase(driver);
  const provider = await startProviderUnderTest(url);
  return {
    ...provider,
    name: `the service on ${driver}`,
    async stop() {
      await provider.stop();
      await remove();
    },
  };
}

export async function startFake(): Promise<HrCloud> {
  const fake = await startFakeHrCloud();
  return {
    name: 'the fake',
    url: fake.url,
    async load(scenario) {
      fake.reset();
      fake.load(scenario);
    },
    token: async () => 'contract-token',
    tokenWithoutScope: async () => 'token-without-scope',
    stop: () => fake.stop(),
  };
}
