import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { openLineFile } from './line-file.ts'

const directory = () => mkdtempSync(join(tmpdir(), 'sparring-lines-'))
const opened = (file: string) => {
  const result = openLineFile(file)
  if (!result.ok) throw new Error(result.error)
  return result.value
}
const refusal = (file: string, accept?: (beginning: string) => string | undefined): string => {
  const result = openLineFile(file, { accept })
  return result.ok ? '' : result.error
}

test('a new file is created with its directories', () => {
  const file = join(directory(), 'a', 'b', 'c.ndjson')
  const lines = opened(file)
  expect(lines).toMatchObject({ size: 0, torn: 0 })
  lines.close()
  expect(statSync(file).size).toBe(0)
  expect(existsSync(`${file}.lock`)).toBe(false)
})

test('a torn last line is moved to another file, not discarded', () => {
  const file = join(directory(), 'a.ndjson')
  writeFileSync(file, 'one\ntwo\nthr')
  opened(file).close()
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n')
  expect(readFileSync(`${file}.torn`, 'utf8')).toBe('thr\n')
  writeFileSync(file, 'one\nagain')
  const again = opened(file)
  expect(again).toMatchObject({ size: 4, torn: 5 })
  again.close()
  expect(readFileSync(`${file}.torn`, 'utf8')).toBe('thr\nagain\n')
})

test('a torn line may be longer than a read block', () => {
  const file = join(directory(), 'a.ndjson')
  const torn = 'x'.repeat(300_001)
  writeFileSync(file, `one\n${torn}`)
  opened(file).close()
  expect(readFileSync(file, 'utf8')).toBe('one\n')
  expect(readFileSync(`${file}.torn`, 'utf8')).toBe(`${torn}\n`)
})

test('a file that `accept` rejects is not touched', () => {
  const file = join(directory(), 'notes.txt')
  writeFileSync(file, 'my notes, without a line end')
  expect(refusal(file, (beginning) => `it begins with "${beginning.slice(0, 8)}". No`)).toBe(
    `writing to ${file}: it begins with "my notes". No`,
  )
  expect(readFileSync(file, 'utf8')).toBe('my notes, without a line end')
  expect(existsSync(`${file}.torn`)).toBe(false)
  expect(existsSync(`${file}.lock`)).toBe(false)
})

test('a directory in place of the file, or a file in place of a directory, is reported as a problem', () => {
  const place = directory()
  mkdirSync(join(place, 'd'))
  expect(refusal(join(place, 'd'))).toBe(
    `writing to ${join(place, 'd')}: it is a directory (EISDIR). Name a file in it`,
  )
  writeFileSync(join(place, 'f'), '')
  expect(refusal(join(place, 'f', 'x.ndjson'))).toMatch(
    /: a (?:part|file) .*directory.*\. Name a path/,
  )
})

test.skipIf(process.getuid?.() === 0)(
  'a directory without write permission is reported as a problem',
  () => {
    const place = directory()
    chmodSync(place, 0o500)
    expect(refusal(join(place, 'x.ndjson'))).toContain(
      'permission is denied (EACCES). Make the file',
    )
  },
)
