/** Messages of an agent that are too long are refused by their id; all others pass as they are. */
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createMessageLimit, type MessageId } from './message-limit.ts'

const limit = 4000
const long = 'x'.repeat(3 * limit)
const message = (parts: string): string => `{${parts}}\n`

/** The text, in chunks of this size. */
async function passed(text: string, size: number) {
  const refused: MessageId[] = []
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
  const limited = Readable.from(chunks).pipe(createMessageLimit((id) => refused.push(id), limit))
  return { text: String(await buffer(limited)), refused }
}

const short = message('"jsonrpc":"2.0","id":1,"method":"ping"')
/** With its end of line it has as many bytes as it may. */
const [begun, ended] = ['{"jsonrpc":"2.0","method":"ping","x":"é', '"}\n']
const longest = begun + 'x'.repeat(limit - Buffer.byteLength(begun + ended)) + ended

test.each([1, 7, 1000, 65_536])(
  'in chunks of %i bytes: what is short enough passes, and what is too long is refused in its place',
  async (size) => {
    const before = message(`"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":"${long}"}`)
    const behind = message(
      `"method":"tools/call","params":{"id":99,"a":"${long}"},"id":"eight","jsonrpc":"2.0"`,
    )
    const unknown = message(`"params":{"id":5,"a":"${long}"},"jsonrpc":"2.0"`)
    const { text, refused } = await passed(
      [short, before, short, behind, longest, unknown, '{"torn'].join(''),
      size,
    )
    expect(text).toBe(`${short}${short}${longest}{"torn`)
    expect(refused).toEqual([7, 'eight', null])
  },
)

test.each([
  ['this is not json', null, -32_700, 'it is no JSON'],
  ['[]', null, -32_600, 'it is no request'],
  ['[{"jsonrpc":"2.0","id":"b1","method":"ping"}]', null, -32_600, 'it is no request'],
  ['{"jsonrpc":"2.0","id":9999}', 9999, -32_600, 'it is no request'],
  ['{"jsonrpc":"1.0","id":"v1","method":"ping"}', 'v1', -32_600, 'it is no request'],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32_600, 'it is no request'],
  ['{"jsonrpc":"2.0","id":3,"method":"ping","params":4}', 3, -32_600, 'it is no request'],
] as const)('%s is refused, and what follows it passes', async (line, id, code, wrong) => {
  const refused: unknown[] = []
  const answered = '{"jsonrpc":"2.0","id":4,"result":{}}\n'
  const limited = Readable.from([`${line}\n\n${answered}`]).pipe(
    createMessageLimit((...refusal) => refused.push(refusal)),
  )
  expect(String(await buffer(limited))).toBe(`\n${answered}`)
  const text = expect.stringContaining(`reading a message: ${wrong}`) as string
  expect(refused).toEqual([[id, { code, message: text }]])
})

test('a message that never ends takes no memory', async () => {
  const { text, refused } = await passed('x'.repeat(100 * limit), 1000)
  expect(text).toBe('')
  expect(refused).toEqual([null])
})
