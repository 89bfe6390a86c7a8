/** The body of a response as text; `tooLong` is thrown, and the rest not read, when it has more bytes than allowed. */
export function boundedText(response: Response, maxBytes: number, tooLong: Error): Promise<string> {
  let bytes = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) controller.error(tooLong);
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(bound)).text();
}
