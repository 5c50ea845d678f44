import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

test('a folder is made with those above it, and one that is there stays', () => {
  const place = join(mkdtempSync(join(tmpdir(), 'sparring-folder-')), 'a/b/c')
  makeFolder(place)
  makeFolder(place)
  expect(existsSync(place)).toBe(true)
})

test.skipIf(!existsSync('/proc/self'))(
  'where no folder can be made it fails instead of trying for ever',
  () => {
    expect(() => makeFolder('/proc/sparring/a/b')).toThrow(/ENOENT|EACCES|EPERM/)
  },
)
