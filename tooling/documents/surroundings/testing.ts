import type { RunningFakeHrCloud } from '@hr/testing/fake';
import type { Consumer, ContractTokenEndpoint } from '@hr/testing/pact';
import type { Broker, StateHandlers, VerifyOptions } from '@hr/testing/provider';

// What an example of @hr/testing may speak of without making it.
export { setupServer } from 'msw/node';
export { beforeEach, expect, test } from 'vitest';
export { defineConfig } from 'vitest/config';
export { z } from 'zod';
export declare const fake: RunningFakeHrCloud;
export declare const hr: Consumer;
export declare const broker: Broker;
export declare const commit: string;
export declare const provider: VerifyOptions['provider'];
export declare const source: VerifyOptions['source'];
export declare const states: StateHandlers;
export declare const token: NonNullable<VerifyOptions['token']>;
export declare function readPersons(baseUrl: string, token: string): Promise<unknown>;
export declare function logIn(endpoint: ContractTokenEndpoint): Promise<unknown>;
