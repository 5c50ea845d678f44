/** Bodies of many megabytes in one string: whatever looks for the end of a string must not go there step by step. */
import { expect, test } from 'vitest'
import { powershellCommands } from './curl-powershell.ts'
import { har } from './har.ts'
import { jsonBreak } from './json-break.ts'
import { onOneLine } from './one-line.ts'
import { importText } from '../../../test/support/round-trip.ts'

const long = 'x'.repeat(12_000_000)

test('an archive that is written with indents may have one', () => {
  const entry = {
    startedDateTime: '2026-01-05T12:00:00.000Z',
    time: 1,
    request: { method: 'GET', url: 'http://a.example/v2/orders', headers: [] },
    response: { status: 200, headers: [], content: { text: long } },
  }
  const { recording, summary } = importText(
    har,
    JSON.stringify({ log: { version: '1.2', entries: [entry] } }, null, 2),
  )
  expect(summary).toMatchObject({ exchanges: 1, problems: [] })
  expect(recording.length).toBeGreaterThan(long.length)
})

test('what stands between tokens goes, what stands in them stays', () => {
  expect(onOneLine(' { "a b" : [ "c \\" d" ,\n\t1.50 ] }\n')).toBe('{"a b":["c \\" d",1.50]}')
  expect(onOneLine('{"a b":1}')).toBe('{"a b":1}')
})

test('a break behind one is found, and one in it', () => {
  expect(jsonBreak(`{"a":"${long}",}`)?.at).toBe(long.length + 8)
  expect(jsonBreak(`{"a":"${long}\\x"}`)?.at).toBe(long.length + 6)
})

test('a pasted command may have one', () => {
  const { commands, broken } = powershellCommands(`irm http://a.example -Body 'it''s ${long}'`)
  expect(broken).toBeUndefined()
  expect(commands[0]?.tokens.at(-1)).toMatchObject({ text: `it's ${long}` })
})
