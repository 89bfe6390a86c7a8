// What an example of @hr/schemas may speak of without making it.
export declare const body: unknown;
export declare const error: unknown;
