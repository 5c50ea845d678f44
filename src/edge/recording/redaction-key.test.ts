import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { configurationDirectory, loadRedactionKey, redactionKeyFrom } from './redaction-key.ts'

const directory = () => join(mkdtempSync(join(tmpdir(), 'sparring-key-')), 'sparring')
const keyIn = (place: string) => {
  const key = loadRedactionKey(place)
  if (!key.ok) throw new Error(key.error)
  return key.value
}

test('the key is created once and reused', () => {
  const place = directory()
  const first = keyIn(place)
  const again = keyIn(place)
  expect(again.keyId).toBe(first.keyId)
  expect(again.hash('Ana')).toBe(first.hash('Ana'))
  expect(first.hash('Ana')).toMatch(/^[\da-f]{64}$/)
  expect(first.keyId).toMatch(/^[\da-f]{8}$/)
})

test.skipIf(process.platform === 'win32')('the key file is readable by its owner only', () => {
  const place = directory()
  keyIn(place)
  expect(statSync(join(place, 'redaction.key')).mode & 0o777).toBe(0o600)
  expect(statSync(place).mode & 0o777).toBe(0o700)
})

test('the key id in a recording reveals nothing about the key', () => {
  const place = directory()
  const { keyId, hash } = keyIn(place)
  const secret = readFileSync(join(place, 'redaction.key'), 'utf8').trim()
  expect(secret).not.toContain(keyId)
  expect(hash('')).not.toBe(redactionKeyFrom(Buffer.alloc(32)).hash(''))
})

test('an invalid key file is not overwritten', () => {
  const place = directory()
  keyIn(place)
  const file = join(place, 'redaction.key')
  writeFileSync(file, 'not a key')
  const key = loadRedactionKey(place)
  expect(key.ok ? '' : key.error).toContain(
    `reading the redaction key ${file}: it is not 64 hexadecimal digits. Remove the file`,
  )
  expect(readFileSync(file, 'utf8')).toBe('not a key')
})

test('an impossible directory is reported as a problem', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'sparring-key-')), 'file')
  writeFileSync(file, '')
  const key = loadRedactionKey(join(file, 'sparring'))
  expect(key.ok ? '' : key.error).toMatch(/^reading the redaction key .*director/)
})

test('the key is stored in the user’s configuration directory', () => {
  if (process.platform === 'win32') return
  expect(configurationDirectory({ XDG_CONFIG_HOME: '/x' })).toBe('/x/sparring')
  expect(configurationDirectory({})).toMatch(/\.config\/sparring$/)
})
