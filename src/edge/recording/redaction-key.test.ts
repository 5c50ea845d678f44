import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { configurationDirectory, redactionKey, redactionKeyFrom } from './redaction-key.ts'

const directory = () => join(mkdtempSync(join(tmpdir(), 'sparring-key-')), 'sparring')
const keyIn = (place: string) => {
  const key = redactionKey(place)
  if (!key.ok) throw new Error(key.error)
  return key.value
}

test('a key is made once, and is the same from then on', () => {
  const place = directory()
  const first = keyIn(place)
  const again = keyIn(place)
  expect(again.keyId).toBe(first.keyId)
  expect(again.hash('Ana')).toBe(first.hash('Ana'))
  expect(first.hash('Ana')).toMatch(/^[\da-f]{64}$/)
  expect(first.keyId).toMatch(/^[\da-f]{8}$/)
})

test.skipIf(process.platform === 'win32')('nobody but its owner can read it', () => {
  const place = directory()
  keyIn(place)
  expect(statSync(join(place, 'redaction.key')).mode & 0o777).toBe(0o600)
  expect(statSync(place).mode & 0o777).toBe(0o700)
})

test('what stands in a recording tells nothing about the key', () => {
  const place = directory()
  const { keyId, hash } = keyIn(place)
  const secret = readFileSync(join(place, 'redaction.key'), 'utf8').trim()
  expect(secret).not.toContain(keyId)
  expect(hash('')).not.toBe(redactionKeyFrom(Buffer.alloc(32)).hash(''))
})

test('a broken key file is not written over', () => {
  const place = directory()
  keyIn(place)
  const file = join(place, 'redaction.key')
  writeFileSync(file, 'not a key')
  const key = redactionKey(place)
  expect(key.ok ? '' : key.error).toContain(
    `reading the redaction key ${file}: it is not 64 hexadecimal digits. Remove the file`,
  )
  expect(readFileSync(file, 'utf8')).toBe('not a key')
})

test('a place that cannot be is a problem in a sentence', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'sparring-key-')), 'file')
  writeFileSync(file, '')
  const key = redactionKey(join(file, 'sparring'))
  expect(key.ok ? '' : key.error).toMatch(/^reading the redaction key .*director/)
})

test('the key lies where the user’s configuration lies', () => {
  if (process.platform === 'win32') return
  expect(configurationDirectory({ XDG_CONFIG_HOME: '/x' })).toBe('/x/sparring')
  expect(configurationDirectory({})).toMatch(/\.config\/sparring$/)
})
