/** Strings of many megabytes: finding the end of a string must not recurse or backtrack per character. */
import { expect, test } from 'vitest'
import { parsePowershellCommands } from './curl-powershell.ts'
import { harFormat } from './har.ts'
import { findJsonSyntaxError } from './json-syntax-error.ts'
import { importText } from '../../../test/support/round-trip.ts'
import { minifyJson } from '../../core/traffic/json/json-string.ts'

const long = 'x'.repeat(12_000_000)

test('a formatted HAR with a large string is imported', () => {
  const entry = {
    startedDateTime: '2026-01-05T12:00:00.000Z',
    time: 1,
    request: { method: 'GET', url: 'http://a.example/v2/orders', headers: [] },
    response: { status: 200, headers: [], content: { text: long } },
  }
  const { recording, summary } = importText(
    harFormat,
    JSON.stringify({ log: { version: '1.2', entries: [entry] } }, null, 2),
  )
  expect(summary).toMatchObject({ exchanges: 1, problems: [] })
  expect(recording.length).toBeGreaterThan(long.length)
})

test('whitespace between tokens is removed, whitespace in strings is kept', () => {
  expect(minifyJson(' { "a b" : [ "c \\" d" ,\n\t1.50 ] }\n')).toBe('{"a b":["c \\" d",1.50]}')
  expect(minifyJson('{"a b":1}')).toBe('{"a b":1}')
})

test('a syntax error behind or inside a large string is found', () => {
  expect(findJsonSyntaxError(`{"a":"${long}",}`)?.at).toBe(long.length + 8)
  expect(findJsonSyntaxError(`{"a":"${long}\\x"}`)?.at).toBe(long.length + 6)
})

test('a curl command with a large string is imported', () => {
  const { commands, syntaxError: broken } = parsePowershellCommands(
    `irm http://a.example -Body 'it''s ${long}'`,
  )
  expect(broken).toBeUndefined()
  expect(commands[0]?.tokens.at(-1)).toMatchObject({ text: `it's ${long}` })
})
