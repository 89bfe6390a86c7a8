const BLOCK_LENGTH = 65_536;

/** Joins short texts, because each write costs a system call. */
export async function* inBlocks(texts: AsyncIterable<string>): AsyncIterable<string> {
  let block = '';
  for await (const text of texts) {
    block += text;
    if (block.length < BLOCK_LENGTH) continue;
    yield block;
    block = '';
  }
  if (block !== '') yield block;
}
