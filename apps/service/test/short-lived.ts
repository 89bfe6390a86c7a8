/**
 * Arguments for a Node.js that ends within seconds. The embedded database is WebAssembly, and V8 would compile much of
 * it a second time, into faster code that pays off in minutes.
 */
export const shortLived = ['--wasm-tiering-budget=200000000'];
