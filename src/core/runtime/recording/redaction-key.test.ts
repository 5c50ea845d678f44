import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { lockFile } from './file-lock.ts'
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

test.each([
  ['nothing', ''],
  ['a part of a key', 'a1b2c3'],
  ['zeros', '\0'.repeat(65)],
])('%s in the key file, as a full disk leaves it, is replaced with a word', async (_, left) => {
  const place = directory()
  keyIn(place)
  const file = join(place, 'redaction.key')
  writeFileSync(file, left)
  const warned = once(process, 'warning')
  const { keyId } = keyIn(place)
  expect(String(await warned)).toContain(`The redaction key ${file} was never finished`)
  expect(keyIn(place).keyId).toBe(keyId)
  expect(readdirSync(place)).toEqual(['redaction.key'])
})

test('an unfinished key that another session replaces right now is left to it', () => {
  const place = directory()
  keyIn(place)
  const file = join(place, 'redaction.key')
  writeFileSync(file, '')
  const lock = lockFile(file)
  const key = loadRedactionKey(place)
  expect(key.ok ? '' : key.error).toContain('is writing to it')
  if (lock.ok) lock.value.release()
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
