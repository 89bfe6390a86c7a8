/** The body of a response as text; `tooLong` is thrown, and the rest not read, when it has more bytes than allowed. */
export async function boundedText(response: Response, maxBytes: number, tooLong: Error): Promise<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  // Not by `Response.text()` of a bounded stream: a browser makes any error of the stream a network error.
  const sink = new WritableStream<Uint8Array>({
    write(chunk) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLong;
      text += decoder.decode(chunk, { stream: true });
    },
  });
  await response.body?.pipeTo(sink);
  return text + decoder.decode();
}
