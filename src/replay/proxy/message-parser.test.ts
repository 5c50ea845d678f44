/** The parser gives the same messages and the same bytes however these come. */
import { expect, test } from 'vitest'
import { MessageParser, type Framing } from './message-parser.ts'

/** Feeds the text in pieces of a size; the parts of messages as lines, and all bytes that came out. */
function parse(text: string, size: number, framings: readonly Framing[]) {
  const parts: string[] = []
  let bytes = ''
  let content = ''
  let messages = 0
  const endContent = (): void => {
    if (content !== '') parts.push(`content ${content}`)
    content = ''
  }
  const parser = new MessageParser({
    isStartLine: (line) => line !== 'no start',
    head({ text: head, startLine, headers }) {
      bytes += head
      parts.push(`head ${startLine} ${JSON.stringify(headers)}`)
      return framings[messages++] ?? 0
    },
    content: (piece) => void (content += piece.toString('latin1')),
    pass: (piece) => void (bytes += piece.toString('latin1')),
    end(trailers) {
      endContent()
      parts.push(`end ${JSON.stringify(trailers)}`)
    },
    unreadable: (reason) => void parts.push(`unreadable ${reason}`),
  })
  const all = Buffer.from(text, 'latin1')
  for (let at = 0; at < all.length; at += size) parser.feed(all.subarray(at, at + size))
  parser.finish()
  endContent()
  return { parts, bytes }
}

const messages: readonly (readonly [
  name: string,
  text: string,
  framings: readonly Framing[],
  parts: readonly string[],
])[] = [
  [
    'bodies with a length, with chunks and trailers, and without',
    'A\r\n\r\n\r\nB\r\nx: \xe9 \r\n y\r\n\r\nfour5\r\nC\r\n\r\n3;a=b\r\n\r\n1\r\n1\n2\n000\r\nT: 1\r\nt:2\r\n\r\nD\n\n',
    [0, 5, 'chunked', 0],
    [
      'head A []',
      'end []',
      'head B [["x","\xe9 y"]]',
      'content four5',
      'end []',
      'head C []',
      'content \r\n12',
      'end [["T","1"],["t","2"]]',
      'head D []',
      'end []',
    ],
  ],
  [
    'a body up to the end',
    'A\r\n\r\nB\r\n\r\n',
    ['close'],
    ['head A []', 'content B\r\n\r\n', 'end []'],
  ],
  ['a head that breaks off', 'A\r\nx: 1\r\n', [], []],
  ['a tunnel', 'A\r\n\r\nB\r\n\r\n', ['tunnel'], ['head A []']],
  [
    'no start line',
    'A\r\n\r\nno start\r\n\r\n',
    [0],
    ['head A []', 'end []', 'unreadable it is no HTTP/1.x'],
  ],
  [
    'a chunk without a size',
    'A\r\n\r\n1\r\nb\r\n0x1\r\nc',
    ['chunked'],
    ['head A []', 'unreadable a chunk of its body has no size', 'content b'],
  ],
  [
    'a chunk that is too long',
    'A\r\n\r\n1\r\nbc\r\n',
    ['chunked'],
    ['head A []', 'unreadable a chunk of its body is longer than it says', 'content b'],
  ],
]

test.each(messages)('%s: in pieces of any size', (_name, text, framings, parts) => {
  for (let size = 1; size <= text.length; size++)
    expect(parse(text, size, framings), `in pieces of ${size}`).toEqual({ parts, bytes: text })
})

test('a head or a line without an end is not kept for ever', () => {
  const endless = `A\r\nx: ${'y'.repeat(300_000)}`
  for (const [text, framings] of [
    [endless, []],
    [`A\r\n\r\n${'0'.repeat(300_000)}`, ['chunked']],
    [`A\r\n\r\n0\r\n${'x: y\r\n'.repeat(60_000)}`, ['chunked']],
  ] as const) {
    const { parts, bytes } = parse(text, 1000, framings)
    expect(parts.at(-1)).toBe('unreadable a line or a head of it is longer than 256 KiB')
    expect(bytes).toBe(text)
  }
})

test('held bytes wait until they are released, as a message or as none', () => {
  for (const as of ['message', 'tunnel'] as const) {
    const heads: string[] = []
    let passed = ''
    const parser = new MessageParser({
      isStartLine: () => true,
      head({ startLine }) {
        heads.push(startLine)
        return 0
      },
      content: () => undefined,
      pass: (piece) => void (passed += piece.toString()),
      end: () => (heads.length === 1 ? parser.hold() : undefined),
      unreadable: () => undefined,
    })
    parser.feed(Buffer.from('A\r\n\r\nB\r\n'))
    parser.feed(Buffer.from('\r\n'))
    expect([heads, parser.heldBytes()]).toEqual([['A'], 5])
    parser.release(as)
    expect(heads).toEqual(as === 'message' ? ['A', 'B'] : ['A'])
    expect(passed).toBe(as === 'message' ? '' : 'B\r\n\r\n')
  }
})
