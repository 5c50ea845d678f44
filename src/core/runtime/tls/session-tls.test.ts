/** The user's certificate authority: created once, protected, and never silently replaced. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openAuthority } from './session-tls.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const yearMs = 365 * 24 * 3_600_000
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sparring-authority-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('it is created once and then reused', () => {
  const first = openAuthority(join(folder, 'deep', 'er'), now)
  const second = openAuthority(join(folder, 'deep', 'er'), now + yearMs)
  expect(second.certificate).toBe(first.certificate)
  expect(second.key.equals(first.key)).toBe(true)
  expect(readFileSync(first.file, 'utf8')).toBe(first.certificate)
})

test.skipIf(process.platform === 'win32')('its key is readable for its owner only', () => {
  const { file } = openAuthority(folder, now)
  const kept = join(folder, 'authority.key.pem')
  expect(statSync(kept).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).not.toContain('PRIVATE')
})

test('it is replaced before its certificates could outlive it', () => {
  const { certificate } = openAuthority(folder, now)
  expect(openAuthority(folder, now + 9 * yearMs).certificate).toBe(certificate)
  const later = openAuthority(folder, now + 10 * yearMs)
  expect(later.certificate).not.toBe(certificate)
  expect(openAuthority(folder, now + 10 * yearMs).certificate).toBe(later.certificate)
})

test('a damaged one is reported, and not replaced, since it may be trusted elsewhere', () => {
  openAuthority(folder, now)
  const kept = join(folder, 'authority.key.pem')
  const whole = readFileSync(kept, 'utf8')
  for (const broken of ['', 'nonsense', whole.slice(0, 300), whole.replace(/[A-Z]{3}Q/, 'xxxx')]) {
    writeFileSync(kept, broken)
    expect(() => openAuthority(folder, now)).toThrow(
      /reading the certificate authority .*authority\.key\.pem: .*Remove the file/,
    )
  }
  const other = openAuthority(join(folder, 'other'), now)
  const [, key = ''] = /(-----BEGIN PRIVATE[\s\S]+?PRIVATE KEY-----\n)/.exec(whole) ?? []
  writeFileSync(kept, `Made ${new Date(now).toISOString()}\n${key}${other.certificate}`)
  expect(() => openAuthority(folder, now)).toThrow('do not belong together')
})

test('a directory without write permission is reported', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(() => openAuthority(join(file, 'under'), now)).toThrow(/making the certificate authority/)
})
