/** Text without what could steer a terminal or turn what follows around: control and format characters, separators of lines. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
}
