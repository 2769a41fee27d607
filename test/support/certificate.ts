// Self-signed certificates made while a test runs, so that none has to be kept, renewed or got from a tool.

import { generateKeyPairSync, sign } from "node:crypto";
import { isIP } from "node:net";

/** PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** For these host names and IPv4 addresses, valid for a day on both sides of now shifted by `shiftDays`. */
export function selfSigned(names: readonly string[], shiftDays = 0): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(ecdsaWithSha256);
  const subject = sequence(tlv(0x31, sequence(commonName, tlv(0x0c, Buffer.from("gomodel test")))));
  const validity = sequence(time(shiftDays - 1), time(shiftDays + 1));
  const extensions = sequence(
    sequence(subjectAltName, tlv(0x04, sequence(...names.map(generalName)))),
    sequence(basicConstraints, tlv(0x01, Buffer.of(0xff)), tlv(0x04, sequence(tlv(0x01, Buffer.of(0xff))))),
  );
  const content = sequence(
    tlv(0xa0, tlv(0x02, Buffer.of(2))),
    tlv(0x02, Buffer.of(1)),
    algorithm,
    subject,
    validity,
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    tlv(0xa3, extensions),
  );
  const signature = tlv(0x03, Buffer.of(0), sign("sha256", content, privateKey));
  const base64 = sequence(content, algorithm, signature)
    .toString("base64")
    .replace(/.{1,64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}-----END CERTIFICATE-----\n`,
  };
}

const ecdsaWithSha256 = Buffer.from("06082a8648ce3d040302", "hex");
const commonName = Buffer.from("0603550403", "hex");
const subjectAltName = Buffer.from("0603551d11", "hex");
const basicConstraints = Buffer.from("0603551d13", "hex");

function generalName(name: string): Buffer {
  return isIP(name) === 4 ? tlv(0x87, Buffer.from(name.split(".").map(Number))) : tlv(0x82, Buffer.from(name));
}

/** As UTCTime, `YYMMDDhhmmssZ`. */
function time(inDays: number): Buffer {
  const text = new Date(Date.now() + inDays * 86_400_000).toISOString();
  return tlv(0x17, Buffer.from(`${text.slice(2, 19).replace(/[^0-9]/g, "")}Z`));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tlv(0x30, ...parts);
}

/** One DER element: tag, length, value. */
function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  const prefix = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...prefix), value]);
}
