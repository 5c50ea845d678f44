/** Samples of HAR dialects and broken files: nothing is refused, every assumption is reported. */
import { expect, test } from 'vitest'
import type { ImportedExchange } from './format.ts'
import { HarImporter } from './har.ts'
import type { HarScanLimits } from './har-scanner.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

function read(text: string | Uint8Array, piece = 65_536, limits?: HarScanLimits) {
  const importer = new HarImporter({ now: 1000 }, limits)
  const bytes = typeof text === 'string' ? bytesOf(text) : text
  const imported: ImportedExchange[] = []
  for (let at = 0; at < bytes.length; at += piece)
    imported.push(...importer.feed(bytes.subarray(at, at + piece)))
  const { remaining: last, problems } = importer.finish()
  return { imported: [...imported, ...last], problems, begun: importer.begun?.() }
}

const request = { method: 'POST', url: 'https://partner.example/orders', headers: [] }
const response = { status: 200, headers: [], content: { text: 'ok' } }
const whole = {
  startedDateTime: '2026-11-22T12:00:00.000Z',
  time: 5,
  request,
  response,
  timings: { send: 1, wait: 3, receive: 1 },
}
const archive = (...entries: readonly unknown[]): string => JSON.stringify({ log: { entries } })

function one(change: object): ImportedExchange {
  const { imported, problems } = read(archive({ ...whole, ...change }))
  expect(problems).toEqual([])
  expect(imported).toHaveLength(1)
  return imported[0]!
}

const replied = (content: unknown) => one({ response: { ...response, content } })
const posted = (postData: unknown) =>
  one({ request: { ...request, postData } }).exchange.request.body

test('an entry that follows the HAR standard is imported without warnings', () => {
  const { exchange, warn } = one({})
  expect(warn).toBeUndefined()
  expect(exchange).toMatchObject({
    startedAt: Date.UTC(2026, 10, 22, 12),
    tookMs: 5,
    sentMs: 1,
    repliedMs: 4,
    request,
    reply: { status: 200, headers: [], body: 'ok' },
  })
})

test('base64 is decoded only when the declared size matches, otherwise the text is taken as it is', () => {
  const text = '{"id":"o-1"}'
  const base64 = btoa(text)
  const honest = replied({ encoding: 'base64', size: text.length, text: base64 })
  expect(honest.exchange.reply?.body).toBe(text)
  const lying = replied({ encoding: 'base64', size: text.length, text })
  expect(lying.exchange.reply?.body).toBe(text)
  expect(lying.warn).toEqual(['a body says base64 and is plain text'])
  // Four characters are valid base64 too: the size shows that they are plain text.
  const short = replied({ encoding: 'base64', size: 4, text: 'true' })
  expect(short.exchange.reply?.body).toBe('true')
  expect(replied({ encoding: 'base64', text: base64 }).exchange.reply?.body).toBe(text)
})

test('a binary body is kept in the entry only, not as text of the exchange', () => {
  const { exchange, warn } = replied({ encoding: 'base64', size: 3, text: 'AP/+' })
  expect(exchange.reply?.body).toBeUndefined()
  expect(warn).toEqual(['a binary body stays in the entry alone'])
})

test('non-string header values are converted to strings, pseudo-headers are dropped', () => {
  const headers = [
    { name: ':authority', value: 'partner.example' },
    { name: 'content-length', value: 40 },
    { name: 'set-cookie', value: ['a=1', 'b=2'] },
    { name: 'x-none', value: null },
  ]
  const { exchange, warn } = one({ request: { ...request, headers } })
  expect(exchange.request.headers).toEqual([
    ['content-length', '40'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
    ['x-none', ''],
  ])
  expect(warn).toEqual(['a header value is no text'])
  expect(
    one({ request: { ...request, headers: { accept: '*/*' } } }).exchange.request.headers,
  ).toEqual([['accept', '*/*']])
})

test('postData.params is encoded only when postData.text is missing', () => {
  const params = [
    { name: 'a', value: 'x y' },
    { name: 'b', value: 'x%20y' },
  ]
  expect(posted({ mimeType: 'application/x-www-form-urlencoded', params })).toBe('a=x%20y&b=x%20y')
  expect(posted({ mimeType: 'application/json', params, text: '{"a":1}' })).toBe('{"a":1}')
  expect(posted({ mimeType: '', text: '', params: [] })).toBeUndefined()
  expect(
    posted({
      mimeType: 'multipart/form-data; boundary=xx',
      params: [{ name: 'file', fileName: 'a.txt', contentType: 'text/plain', value: 'hello' }],
    }),
  ).toBe(
    '--xx\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n' +
      'Content-Type: text/plain\r\n\r\nhello\r\n--xx--\r\n',
  )
})

test('status 0 means no reply; the failure code is taken from the member of each dialect', () => {
  for (const [change, code] of [
    [
      { response: { ...response, status: 0, _error: 'net::ERR_CONNECTION_REFUSED' } },
      'ERR_CONNECTION_REFUSED',
    ],
    [{ response: { status: 0, statusText: '' }, _failureText: 'NS_ERROR_ABORT' }, 'NS_ERROR_ABORT'],
    [{ response: null }, 'NO_REPLY'],
  ] as const) {
    const { exchange } = one(change)
    expect(exchange.reply).toBeUndefined()
    expect(exchange.failure?.code).toBe(code)
  }
})

test('missing timings and start time are inferred, with warnings', () => {
  const { timings: _, startedDateTime: __, ...rest } = whole
  const { imported } = read(
    archive(whole, rest, { ...whole, time: -1 }, { ...whole, startedDateTime: 5 }),
  )
  expect(
    imported.map(({ exchange: { startedAt, tookMs } }) => [
      startedAt - Date.UTC(2026, 10, 22, 12),
      tookMs,
    ]),
  ).toEqual([
    [0, 5],
    [0, 5],
    [0, 5],
    [0, 5],
  ])
  expect(imported[1]?.warn).toEqual([
    'it does not say when it began: the one before it is taken',
    'it has no timings',
  ])
})

test.each(['HTTP/2.0', 'h3', '', 7])('httpVersion %j is ignored', (httpVersion) => {
  expect(
    one({ request: { ...request, httpVersion }, response: { ...response, httpVersion } }).warn,
  ).toBeUndefined()
})

test('entries with equal timestamps keep the file order', () => {
  const at = (url: string) => ({ ...whole, request: { ...request, url } })
  const { imported } = read(archive(at('https://x/1'), at('https://x/2'), at('https://x/3')), 10)
  expect(imported.map(({ exchange }) => exchange.request.url.at(-1))).toEqual(['1', '2', '3'])
})

test('byte order mark, whitespace and escaped member names are accepted', () => {
  const text = `\uFEFF\n{ "\\u006cog" : { "entries" :\t[ ${JSON.stringify(whole, null, 2)} ] } }\r\n`
  for (const piece of [1, 2, 1000]) expect(read(text, piece).imported).toHaveLength(1)
})

test('a truncated file yields the entries before the break and reports its byte offset', () => {
  const text = archive({ ...whole, comment: 'é' }, whole, whole)
  for (const piece of [1, 50, 65_536]) {
    const bytes = bytesOf(text)
    const { imported, problems } = read(bytes.subarray(0, bytes.length - 20), piece)
    expect(imported).toHaveLength(2)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ where: `byte ${bytes.length - 20}`, fatal: true })
    expect(problems[0]?.message).toContain('in entry 3')
  }
})

test('truncated at any length, a file yields every complete entry', () => {
  const bytes = bytesOf(archive(whole, whole))
  const ends = [0, 1].map((index) => endOfEntry(bytes, index))
  for (let length = 0; length < bytes.length; length++) {
    const { imported, problems } = read(bytes.subarray(0, length), 7)
    expect(imported).toHaveLength(ends.filter((end) => end <= length).length)
    expect(problems.filter(({ fatal }) => fatal === true)).toHaveLength(1)
  }
})

function endOfEntry(bytes: Uint8Array, index: number): number {
  const one_ = bytesOf(JSON.stringify(whole)).length
  return (
    bytesOf('{"log":{"entries":[').length + (index + 1) * one_ + index + (bytes.length > 0 ? 0 : 1)
  )
}

test('an invalid entry is reported with its byte offset and skipped; later entries are imported', () => {
  const text = `{"log":{"entries":[${JSON.stringify(whole)},{"a":nonsense},7,${JSON.stringify(whole)}]}}`
  const { imported, problems } = read(text)
  expect(imported).toHaveLength(2)
  expect(problems.map(({ where, fatal }) => [where, fatal])).toEqual([
    [`entry 2, byte ${text.indexOf('nonsense')}`, undefined],
    [`entry 3, byte ${text.indexOf(',7,') + 1}`, undefined],
  ])
})

test('a missing quote is reported at its location, not at the end of the file', () => {
  const text = archive(whole, whole).replace('"method":"POST"', '"method":"POST')
  const { problems } = read(text)
  expect(problems).toHaveLength(1)
  expect(problems[0]?.fatal).toBe(true)
  const [, at] = /^byte (\d+)$/.exec(problems[0]?.where ?? '') ?? []
  expect(Number(at)).toBeGreaterThan(text.indexOf('"method":"POST'))
  expect(Number(at)).toBeLessThan(text.indexOf('"method":"POST') + 30)
})

test.each([
  ['', 'it is empty'],
  ['not JSON at all', 'where an object should begin'],
  ['[]', 'where an object should begin'],
  ['{"log":{}}', 'it has no log.entries'],
  ['{"log":[]}', 'it has no log.entries'],
  ['{"log":{"entries":{}}}', 'it has no log.entries'],
  ['{"log":{"entries":[]}} {', 'behind the end of the document'],
  ['{"log":{"entries":[}]}}', 'in the wrong place'],
  ['{"log":{"entries":[],}}', 'where the name of a member should be'],
  ['{"log" {"entries":[]}}', 'where a colon should be'],
])('%j is no HAR, and the reason is reported', (text, message) => {
  const { imported, problems } = read(text)
  expect(imported).toEqual([])
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatchObject({ fatal: true })
  expect(problems[0]?.message).toContain(message)
})

test('entries too large or nested too deep are skipped and reported, in bounded memory', () => {
  const deep = { ...whole, _deep: JSON.parse('['.repeat(30) + ']'.repeat(30)) as unknown }
  const large = { ...whole, comment: 'x'.repeat(2000) }
  for (const piece of [1, 64, 65_536]) {
    const { imported, problems } = read(archive(whole, deep, large, whole), piece, {
      maxBytes: 1000,
      maxDepth: 20,
    })
    expect(imported).toHaveLength(2)
    expect(problems.map(({ message }) => message)).toEqual([
      'an entry: it is nested deeper than 20; it was left out',
      'an entry: it is larger than 1000 bytes; it was left out',
    ])
  }
})

test('invalid UTF-8 is reported, and the entry is imported', () => {
  const bytes = bytesOf(archive({ ...whole, comment: 'caf?' }))
  bytes[bytes.indexOf(63)] = 0xe9
  const { imported, problems } = read(bytes)
  expect(imported).toHaveLength(1)
  expect(problems[0]?.message).toContain('no UTF-8')
})

test('creator and members around the entries are kept', () => {
  const document = {
    log: {
      version: '1.2',
      creator: { name: 'Maker', version: '7' },
      _more: [1],
      entries: [whole],
      pages: [],
    },
  }
  const { begun } = read(JSON.stringify(document))
  expect(begun?.creator).toEqual({ name: 'Maker', version: '7' })
  expect(Object.keys(begun?.har ?? {})).toEqual(['version', 'creator', '_more'])
})

test('an oversized member of log is not counted as an entry: later members and entry numbers are unaffected', () => {
  const entry = '{"startedDateTime":"2026-01-05T12:00:00Z","request":{"url":"http://a.example/"}}'
  const text = `{"log":{"big":"${'x'.repeat(900)}","comment":"kept","entries":[${entry},{"a":}]}}`
  const importer = new HarImporter({ now: 1000 }, { maxBytes: 500, maxDepth: 20 })
  expect(importer.feed(new TextEncoder().encode(text))).toHaveLength(1)
  expect(importer.begun?.().har).toEqual({ comment: 'kept' })
  const [skipped, broken] = importer.finish().problems
  expect(skipped?.message).toBe('big: it is larger than 500 bytes; it was left out')
  expect(broken?.where).toContain('entry 2')
})
