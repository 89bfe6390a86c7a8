import type { HrClient } from '@hr/client';
import type { Mirror, Outbox } from '@hr/client/mirror';

// What an example of @hr/client may speak of without making it.
export declare const hr: HrClient;
export declare const mirror: Mirror;
export declare const outbox: Outbox;
export declare const baseUrl: string;
export declare const clientId: string;
export declare const clientSecret: string;
export declare const webhookSecret: string;
export declare const error: unknown;
export declare function lookWhetherThePaymentIsThere(): Promise<void>;
