import { generateKeyPairSync, sign } from 'node:crypto';

/** An element of ASN.1 in DER. */
function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(content);
  const length = bytes.length < 128 ? [bytes.length] : [0x82, bytes.length >> 8, bytes.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), bytes]);
}
const sequence = (...content: readonly Buffer[]): Buffer => der(0x30, ...content);
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const bits = (bytes: Buffer): Buffer => der(0x03, Buffer.of(0), bytes);

const ECDSA_SHA256 = sequence(identifier('2a8648ce3d040302'));
const COMMON_NAME = identifier('550403');
const SUBJECT_ALT_NAME = identifier('551d11');
const IP_ADDRESS = 0x87;

/** A key with a self-signed certificate for 127.0.0.1, as PEM. It is valid on every day of this century. */
export function tlsCertificate(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('test')))));
  const validity = sequence(der(0x17, Buffer.from('000101000000Z')), der(0x18, Buffer.from('20991231235959Z')));
  const names = sequence(der(IP_ADDRESS, Buffer.of(127, 0, 0, 1)));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    ECDSA_SHA256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, der(0x04, names)))),
  );
  const certificate = sequence(body, ECDSA_SHA256, bits(sign('sha256', body, privateKey)));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replaceAll(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`,
  };
}
