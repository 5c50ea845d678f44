/** Certificates generated on this machine: their content, and what they are valid for. */
import { createPublicKey, X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { makeAuthority, makeServerCertificate } from './certificate.ts'
import { bitString, integer, objectIdentifier, octetString, sequence, time } from './der.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const dayMs = 24 * 3_600_000

describe('an authority and its certificates', () => {
  const authority = makeAuthority(now)
  const server = makeServerCertificate(authority.key, now)
  const root = new X509Certificate(authority.certificate)
  const leaf = new X509Certificate(server.certificate)

  test('[DIS-WKN-04, TRN-CON-02] a server’s certificate is valid for localhost and its addresses only', () => {
    expect(leaf.checkHost('localhost')).toBe('localhost')
    expect(leaf.checkIP('127.0.0.1')).toBe('127.0.0.1')
    expect(leaf.checkIP('::1')).toBe('::1')
    expect(leaf.checkHost('example.com')).toBeUndefined()
    expect(leaf.checkIP('10.0.0.1')).toBeUndefined()
    expect(leaf.ca).toBe(false)
    expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
    expect(leaf.checkPrivateKey(server.key)).toBe(true)
  })

  test('it is signed by the authority, which signs itself and may sign no other authority', () => {
    expect(root.ca).toBe(true)
    expect(root.verify(root.publicKey)).toBe(true)
    expect(leaf.checkIssued(root)).toBe(true)
    expect(leaf.verify(root.publicKey)).toBe(true)
    expect(leaf.verify(new X509Certificate(makeAuthority(now).certificate).publicKey)).toBe(false)
    expect(root.publicKey.equals(createPublicKey(authority.key))).toBe(true)
    expect(root.toLegacyObject()).toHaveProperty('bits', 256)
  })

  test('who does not understand the limits of the authority must refuse it (RFC 5280, 4.2: critical)', () => {
    const encoded = root.raw.toString('hex')
    for (const oid of [`2.5.29.19`, `2.5.29.15`, `2.5.29.30`])
      expect(encoded).toContain(`${objectIdentifier(oid).toString('hex')}0101ff`)
  })

  test('it is valid from yesterday on, for clocks that run behind: the server’s for three months, the authority’s for ten years', () => {
    expect(Date.parse(leaf.validFrom)).toBe(now - dayMs)
    expect(Date.parse(leaf.validTo)).toBe(now + 90 * dayMs)
    expect(Date.parse(root.validTo)).toBe(now + 3650 * dayMs)
    const late = makeServerCertificate(authority.key, Date.parse('2055-01-01T00:00:00Z'))
    expect(new X509Certificate(late.certificate).validFrom).toContain('2054')
  })

  test('serial numbers are unique', () => {
    const other = new X509Certificate(makeServerCertificate(authority.key, now).certificate)
    expect(other.serialNumber).not.toBe(leaf.serialNumber)
    expect(other.serialNumber.length).toBeGreaterThan(20)
  })
})

describe('DER', () => {
  const hex = (buffer: Buffer): string => buffer.toString('hex')

  test('a length is one byte up to 127, then a byte with the count of the following ones', () => {
    expect(hex(octetString(Buffer.alloc(127))).slice(0, 4)).toBe('047f')
    expect(hex(octetString(Buffer.alloc(128))).slice(0, 6)).toBe('048180')
    expect(hex(octetString(Buffer.alloc(256))).slice(0, 8)).toBe('04820100')
    expect(hex(octetString(Buffer.alloc(70_000))).slice(0, 10)).toBe('0483011170')
  })

  test('an integer has no more bytes than it needs, and one more where it would be negative', () => {
    expect(hex(integer(Buffer.from([0])))).toBe('020100')
    expect(hex(integer(Buffer.from([0, 0, 127])))).toBe('02017f')
    expect(hex(integer(Buffer.from([128])))).toBe('02020080')
    expect(hex(integer(Buffer.from([0, 255, 1])))).toBe('020300ff01')
    expect(hex(integer(Buffer.alloc(0)))).toBe('020100')
  })

  test('an object identifier is encoded in groups of seven bits', () => {
    expect(hex(objectIdentifier('1.2.840.113549'))).toBe('06062a864886f70d')
    expect(hex(objectIdentifier('2.5.29.17'))).toBe('0603551d11')
  })

  test('a time has a two-digit year until 2049, and a four-digit one from then on', () => {
    expect(time(new Date('2026-01-02T03:04:05.678Z')).toString('latin1').slice(2)).toBe(
      '260102030405Z',
    )
    expect(time(new Date('2050-01-02T03:04:05Z')).toString('latin1').slice(2)).toBe(
      '20500102030405Z',
    )
  })

  test('values nest', () => {
    expect(hex(sequence(integer(Buffer.from([5])), bitString(Buffer.from([0x80]), 7)))).toBe(
      '300702010503020780',
    )
  })
})
