/** The output of a started service in a report: what it said first, what it said last, and a file with all. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createProcessOutput } from './process-output.ts'

const fileIn = (lines: readonly string[]): string =>
  /; all of them: (\S+)/.exec(lines.join('\n'))?.[1] ?? ''

test('what fits is shown as it came', () => {
  const output = createProcessOutput()
  output.append('listening on 30')
  expect(output.lines()).toEqual(['listening on 30'])
  output.append('01\nready\n')
  expect(output.lines()).toEqual(['listening on 3001', 'ready'])
})

test('of a long one the first and the last lines are shown, and a file has all', ({
  onTestFinished,
}) => {
  const output = createProcessOutput()
  onTestFinished(output.discard)
  const all = Array.from({ length: 1000 }, (_, n) => `line ${n + 1}\n`).join('')
  for (let at = 0; at < all.length; at += 7) output.append(all.slice(at, at + 7))
  const lines = output.lines()
  expect(lines.slice(0, 2)).toEqual(['line 1', 'line 2'])
  expect(lines[9]).toBe('line 10')
  expect(lines[10]).toMatch(/^… 970 lines; all of them: /)
  expect(lines.slice(11)).toEqual(Array.from({ length: 20 }, (_, n) => `line ${981 + n}`))
  output.close()
  expect(readFileSync(fileIn(lines), 'utf8')).toBe(all)
})

test('the file goes when nobody needs it', () => {
  const output = createProcessOutput({ maxChars: 10 })
  output.append('more than ten characters\n')
  const path = fileIn(output.lines())
  expect(existsSync(path)).toBe(true)
  output.discard()
  expect(existsSync(path)).toBe(false)
})

test('the file is bounded, and says so; a line without an end is cut', ({ onTestFinished }) => {
  const output = createProcessOutput({ maxChars: 100, maxLineChars: 10, maxFileBytes: 1_000_000 })
  onTestFinished(output.discard)
  for (let chunk = 0; chunk < 12; chunk++) output.append('x'.repeat(100_000))
  const lines = output.lines()
  expect(lines[0]).toBe('xxxxxxxxxx …')
  expect(lines[1]).toContain('(it ends after 1 MB)')
  expect(readFileSync(fileIn(lines)).length).toBe(1_000_000)
})
