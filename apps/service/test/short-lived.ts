/**
 * Arguments for a Node.js with an embedded database, as the workspace's scripts have them: V8 compiles its WebAssembly
 * once instead of twice, which halves its memory and the time until its first statement.
 */
export const shortLived = ['--liftoff-only'];
