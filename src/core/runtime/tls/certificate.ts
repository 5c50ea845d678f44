/**
 * Creates X.509 certificates on P-256 keys: an authority constrained to this machine, and server certificates signed
 * by it. Node can parse certificates but not create them, and no external tool is used.
 */
import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import * as der from './der.ts'

/** A certificate with its private key. */
export interface IssuedCertificate {
  /** PEM. */
  readonly certificate: string
  readonly key: KeyObject
}

const oids = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  authorityKeyIdentifier: '2.5.29.35',
  extKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const

export const certificateDayMs = 24 * 3_600_000
export const authorityValidityDays = 3650
const leafDays = 90

const signatureAlgorithm = der.sequence(der.objectIdentifier(oids.ecdsaWithSha256))

function name(commonName: string): Buffer {
  const part = (oid: string, text: string): Buffer =>
    der.set(der.sequence(der.objectIdentifier(oid), der.utf8String(text)))
  return der.sequence(part(oids.organization, 'Sparring'), part(oids.commonName, commonName))
}

const extension = (oid: string, value: Uint8Array, critical = false): Buffer =>
  der.sequence(
    der.objectIdentifier(oid),
    ...(critical ? [der.boolean(true)] : []),
    der.octetString(value),
  )

const publicKeyOf = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ type: 'spki', format: 'der' })

/** Key identifier (SHA-1 of the public key), by which certificates refer to a key. */
const keyIdentifier = (key: KeyObject): Buffer =>
  createHash('sha1').update(publicKeyOf(key)).digest()

/** Key usage bits 5 and 6: keyCertSign and cRLSign. */
const signsCertificates = der.bitString(Buffer.from([0b0000_0110]), 1)
/** Key usage bit 0: digitalSignature, which is all that a TLS handshake on an EC key needs. */
const signsHandshakes = der.bitString(Buffer.from([0b1000_0000]), 7)

/** GeneralName tags: 2 for a DNS name, 7 for an IP address. */
const dnsName = (host: string): Buffer => der.implicit(2, Buffer.from(host, 'ascii'))
const ipName = (bytes: readonly number[]): Buffer => der.implicit(7, Buffer.from(bytes))

const zeros = (count: number): readonly number[] => Array.from({ length: count }, () => 0)
const ones = (count: number): readonly number[] => Array.from({ length: count }, () => 0xff)
const ipv4Loopback = [127, 0, 0, 1]
const ipv6Loopback = [...zeros(15), 1]

/** Name constraints: the authority may only certify loopback names and addresses. */
const onlyThisMachine = der.sequence(
  der.tagged(
    0,
    Buffer.concat([
      der.sequence(dnsName('localhost')),
      der.sequence(ipName([127, 0, 0, 0, 255, 0, 0, 0])),
      der.sequence(ipName([...ipv6Loopback, ...ones(16)])),
    ]),
  ),
)

interface CertificateFields {
  readonly subject: Buffer
  readonly issuer: Buffer
  readonly key: KeyObject
  readonly signer: KeyObject
  readonly from: Date
  readonly until: Date
  readonly extensions: readonly Buffer[]
}

function signed({
  subject,
  issuer,
  key,
  signer,
  from,
  until,
  extensions,
}: CertificateFields): string {
  const contents = der.sequence(
    der.tagged(0, der.integer(Buffer.from([2]))),
    der.integer(randomBytes(16)),
    signatureAlgorithm,
    issuer,
    der.sequence(der.time(from), der.time(until)),
    subject,
    publicKeyOf(key),
    der.tagged(3, der.sequence(...extensions)),
  )
  const signature = der.bitString(sign('sha256', contents, signer))
  const body = der.sequence(contents, signatureAlgorithm, signature).toString('base64')
  const lines = body.match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

/** Valid from one day ago, so that a clock that runs behind accepts the certificate. */
const validFrom = (now: number): Date => new Date(now - certificateDayMs)

const authorityName = name('Sparring on this machine')

export function makeAuthority(now: number): IssuedCertificate {
  const key = newKey()
  const certificate = signed({
    subject: authorityName,
    issuer: authorityName,
    key,
    signer: key,
    from: validFrom(now),
    until: new Date(now + authorityValidityDays * certificateDayMs),
    extensions: [
      extension(
        oids.basicConstraints,
        der.sequence(der.boolean(true), der.integer(Buffer.from([0]))),
        true,
      ),
      extension(oids.keyUsage, signsCertificates, true),
      extension(oids.nameConstraints, onlyThisMachine, true),
      extension(oids.subjectKeyIdentifier, der.octetString(keyIdentifier(key))),
    ],
  })
  return { certificate, key }
}

/** A certificate for a server on this machine, under its names localhost, 127.0.0.1 and ::1. */
export function makeServerCertificate(authority: KeyObject, now: number): IssuedCertificate {
  const key = newKey()
  const certificate = signed({
    subject: name('localhost'),
    issuer: authorityName,
    key,
    signer: authority,
    from: validFrom(now),
    until: new Date(now + leafDays * certificateDayMs),
    extensions: [
      extension(oids.basicConstraints, der.sequence(), true),
      extension(oids.keyUsage, signsHandshakes, true),
      extension(oids.extKeyUsage, der.sequence(der.objectIdentifier(oids.serverAuth))),
      extension(
        oids.subjectAltName,
        der.sequence(dnsName('localhost'), ipName(ipv4Loopback), ipName(ipv6Loopback)),
      ),
      extension(oids.subjectKeyIdentifier, der.octetString(keyIdentifier(key))),
      extension(
        oids.authorityKeyIdentifier,
        der.sequence(der.implicit(0, keyIdentifier(authority))),
      ),
    ],
  })
  return { certificate, key }
}
