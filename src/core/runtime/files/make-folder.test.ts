import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

test('a folder is created with its parents, and an existing one is left alone', () => {
  const place = join(mkdtempSync(join(tmpdir(), 'sparring-folder-')), 'a/b/c')
  makeFolder(place)
  makeFolder(place)
  expect(existsSync(place)).toBe(true)
})

test.skipIf(!existsSync('/proc/self'))(
  'an impossible folder fails instead of looping for ever',
  () => {
    expect(() => makeFolder('/proc/sparring/a/b')).toThrow(/ENOENT|EACCES|EPERM/)
  },
)
