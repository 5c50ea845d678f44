/** What files of other programs hold as headers is sent again as far as a message can carry it. */
import { expect, test } from 'vitest'
import { headerFields } from '../runtime/server/messages.ts'
import { replayableReplyHeaders, replayableRequestHeaders } from './replayable-headers.ts'

const latin1 = (text: string): string => String.fromCodePoint(...new TextEncoder().encode(text))

test.each([
  ['lines that a program joined', 'a=1\nb=2; Path=/', ['a=1', 'b=2; Path=/']],
  ['lines that end as on the wire', 'a=1\r\nb=2', ['a=1', 'b=2']],
  ['a folded line', 'first,\r\n  second', ['first, second']],
  ['letters of Latin-1', 'Jo\u{e3}o', ['Jo\u{e3}o']],
  ['letters beyond it, as their bytes', 'João ✓', [latin1('João ✓')]],
  ['control characters', 'a\0b\u{7f}c\td', ['abc\td']],
])('the value of a header: %s', (_what, value, sent) => {
  const headers = [['X-Note', value]] as const
  const expected = sent.map((each) => ['X-Note', each])
  expect(replayableRequestHeaders({ headers })).toEqual(expected)
  expect(replayableReplyHeaders({ headers })).toEqual(expected)
})

test.each(['', 'a name', 'X-Ação', ':authority', 'a\nb', 'a:'])(
  'a header that is called "%s" is left out',
  (name) => {
    expect(
      replayableReplyHeaders({
        headers: [
          [name, 'v'],
          ['X-Kept', 'v'],
        ],
      }),
    ).toEqual([['X-Kept', 'v']])
  },
)

test.each(['constructor', '__proto__', 'tostring'])('a header called %s is a header', (name) => {
  const headers = [
    [name, '1'],
    [name, '2'],
  ] as const
  expect(Object.entries(headerFields(replayableReplyHeaders({ headers })))).toEqual([
    [name, ['1', '2']],
  ])
})
