/** Transcripts as curl writes them, in each of its spellings. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { importInPieces } from '../../../test/support/run-import.ts'
import { traceBlock } from '../../../test/support/curl-trace.ts'
import { curlTraceFormat } from './curl-trace.ts'
import { curlFormat } from './curl.ts'

const now = 1_795_176_000_000
const decode = (_: string, bytes: Uint8Array): Uint8Array => gunzipSync(bytes)
const read = (text: string) => importInPieces(curlTraceFormat, text, { now, decode })
const summary = (text: string) =>
  read(text).imported.map(
    ({ exchange: { request, reply } }) =>
      `${request.method} ${request.url} ${reply?.status ?? '–'} ${reply?.body ?? '–'}`,
  )
const warnings = (text: string) => read(text).imported.map(({ warn }) => warn)

/** The lines of a request and its reply. */
const request = (line: string, ...headers: readonly string[]): string =>
  [`> ${line}`, '> Host: h.example', ...headers.map((each) => `> ${each}`), '> ', ''].join('\n')
const reply = (status: string, ...headers: readonly string[]): string =>
  [`< ${status}`, ...headers.map((each) => `< ${each}`), '< ', ''].join('\n')

const date = 'Date: Sun, 22 Nov 2026 14:07:09 GMT'
const dateMs = Date.UTC(2026, 10, 22, 14, 7, 9)

test('-v to a file: the progress meter shares lines, the body has no line end and stands behind a remark', () => {
  const { imported, problems } =
    read(`  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current
                                 Dload  Upload   Total   Spent    Left  Speed
\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0*   Trying 127.0.0.1:42385...
* Connected to 127.0.0.1 (127.0.0.1) port 42385 (#0)
> GET /v2/orders/o-1?x=1 HTTP/1.1
> Host: 127.0.0.1:42385
> Authorization: Bearer abc
>\x20
< HTTP/1.1 200 OK
< Content-Type: application/json
< Set-Cookie: a=1
< Set-Cookie: b=2
< ${date}
< Content-Length: 21
<\x20
{ [21 bytes data]
\r100    21  100    21    0     0   2127      0 --:--:-- --:--:-- --:--:--  2222
* Connection #0 to host 127.0.0.1 left intact
{"id":"o-1","got":14}`)
  expect(problems).toEqual([])
  expect(imported).toEqual([
    {
      exchange: expect.objectContaining({
        startedAt: dateMs,
        tookMs: 0,
        request: {
          method: 'GET',
          url: 'http://127.0.0.1:42385/v2/orders/o-1?x=1',
          headers: [
            ['Host', '127.0.0.1:42385'],
            ['Authorization', 'Bearer abc'],
          ],
        },
        reply: {
          status: 200,
          headers: [
            ['Content-Type', 'application/json'],
            ['Set-Cookie', 'a=1'],
            ['Set-Cookie', 'b=2'],
            ['Date', 'Sun, 22 Nov 2026 14:07:09 GMT'],
            ['Content-Length', '21'],
          ],
          body: '{"id":"o-1","got":14}',
        },
      }) as object,
    },
  ])
})

test('several transfers on one connection; bodies end by their length, also within a line', () => {
  const transcript =
    request('GET /1 HTTP/1.1') +
    reply('HTTP/1.1 200 OK', 'Content-Length: 12') +
    '{\n "id": 1\n* Connection #0 to host h.example left intact\n' +
    '}* Found bundle for host: 0x5644dc995f50 [serially]\n' +
    '* Re-using existing connection #0 with host h.example\n' +
    request('DELETE /2 HTTP/1.1') +
    reply('HTTP/1.1 204 No Content') +
    request('HEAD /3 HTTP/1.1') +
    reply('HTTP/1.1 200 OK', 'Content-Length: 99') +
    request('GET /4 HTTP/1.1') +
    reply('HTTP/1.1 200 OK', 'Content-Length: 30') +
    'one\n* 2\n> two\n< three\n\n{ four }\n'
  expect(summary(transcript)).toEqual([
    'GET http://h.example/1 200 {\n "id": 1\n}',
    'DELETE http://h.example/2 204 –',
    'HEAD http://h.example/3 200 –',
    'GET http://h.example/4 200 one\n* 2\n> two\n< three\n\n{ four ',
  ])
})

test('a redirect: the ignored body is none, and what follows is a request of its own', () => {
  const transcript =
    request('GET /r HTTP/1.1') +
    reply('HTTP/1.1 302 Found', 'Location: /to', 'Content-Length: 6') +
    '* Ignoring the response-body\n{ [6 bytes data]\n' +
    "* Issue another request to this URL: 'https://h.example/to'\n" +
    request('GET /to HTTP/1.1') +
    reply('HTTP/1.1 200 OK', 'Content-Length: 2') +
    'ok'
  expect(summary(transcript)).toEqual([
    'GET http://h.example/r 302 –',
    'GET https://h.example/to 200 ok',
  ])
})

test('100 Continue is no reply, with and without an empty line behind it', () => {
  for (const behind of ['', '< \n'])
    expect(
      summary(
        `${request('PUT /x HTTP/1.1', 'Expect: 100-continue')}< HTTP/1.1 100 Continue\n${behind}} [9 bytes data]\n` +
          `* We are completely uploaded and fine\n${reply('HTTP/1.1 201 Created', 'Content-Length: 2')}ok`,
      ),
    ).toEqual(['PUT http://h.example/x 201 ok'])
})

test('HTTPS and HTTP/2, whose length nobody tells: the scheme is known from remarks, and by connection', () => {
  const transcript =
    '*   Trying 1.2.3.4:443...\n* SSL connection using TLSv1.3 / TLS_AES_256_GCM_SHA384\n' +
    request('POST /a HTTP/2', 'content-length: 3') +
    '} [5 bytes data]\n* TLSv1.3 (IN), TLS handshake, Newsession Ticket (4):\n' +
    reply('HTTP/2 200 ', 'content-type: text/plain') +
    '# one\n* two\n{ [5 bytes data]\n> three\n' +
    '* TLSv1.3 (IN), TLS alert, close notify (256):\nend* Connection #0 to host h.example left intact\n' +
    '* h2h3 [:method: GET]\n*   Trying 1.2.3.4:80...\n' +
    request('GET /b HTTP/1.1') +
    reply('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked') +
    'plain\n* Connection #1 to host h.example left intact\n' +
    '* Re-using existing connection #0 with host h.example\n' +
    request('GET /c HTTP/2') +
    reply('HTTP/2 204 ') +
    '* Re-using existing http: connection with host h.example\n' +
    request('GET /d HTTP/1.1') +
    reply('HTTP/1.1 204 No Content')
  expect(summary(transcript)).toEqual([
    'POST https://h.example/a 200 # one\n* two\n> three\nend',
    'GET http://h.example/b 200 plain',
    'GET https://h.example/c 204 –',
    'GET http://h.example/d 204 –',
  ])
  expect(warnings(transcript)[0]).toEqual([
    'request: the body is not in the transcript',
    'clock inferred',
  ])
})

test('without a line of TLS, https is read from the stream of HTTP/2, and assumed by the port and the command', () => {
  const no = ['https by the command or its port: no line shows TLS', 'clock inferred']
  const call = request('GET /a HTTP/1.1') + reply('HTTP/1.1 204 No Content')
  const connected = '*   Trying 1.2.3.4:443...\n* Connected to h.example (1.2.3.4) port 443 (#0)\n'
  const stream = '* using HTTP/2\n* [HTTP/2] [1] OPENED stream for https://h.example/a\n'
  for (const [before, warn] of [
    [`${connected}${stream}`, ['clock inferred']],
    [connected, no],
    ["$ curl -v 'https://h.example/a'\n*   Trying 1.2.3.4:8443...\n", no],
  ] as const) {
    expect(summary(before + call)).toEqual(['GET https://h.example/a 204 –'])
    expect(warnings(before + call)).toEqual([warn])
  }
})

test('the body that -v does not show is taken from the command before it', () => {
  const transcript = (prompt: string): string =>
    `${prompt}curl -v http://h.example/a -H 'X: y' \\\n    -d '{"reason":\n"no"}'\n*   Trying 1.2.3.4:80...\n` +
    request('POST /a HTTP/1.1', 'Content-Length: 16') +
    reply('HTTP/1.1 200 OK', 'Content-Length: 2') +
    'ok* Connection #0 to host h.example left intact\n\n' +
    `${prompt}curl -sv http://h.example/b\n${request('GET /b HTTP/1.1')}${reply('HTTP/2 200 ')}last\n` +
    `${prompt}curl -v http://nowhere.invalid/c -d a=1\n* Could not resolve host: nowhere.invalid\n` +
    'curl: (6) Could not resolve host: nowhere.invalid\n'
  for (const prompt of ['$ ', 'me@host:~$ ', '']) {
    const { imported } = read(transcript(prompt))
    expect(imported.map(({ exchange }) => exchange.request.body)).toEqual([
      '{"reason":\n"no"}',
      undefined,
      'a=1',
    ])
    expect(imported[1]?.exchange.reply?.body).toBe('last')
    expect(imported[2]?.exchange).toMatchObject({
      request: { method: 'POST', url: 'http://nowhere.invalid/c' },
      failure: { code: 'CURL', message: 'curl: (6) Could not resolve host: nowhere.invalid' },
    })
  }
})

test('what a transcript lacks is said: bodies sent to a file, replies that did not come', () => {
  const transcript =
    request('GET /file HTTP/1.1') +
    reply('HTTP/1.1 200 OK', 'Content-Length: 20', date) +
    '{ [20 bytes data]\n* Connection #0 to host h.example left intact\n' +
    request('GET /cut HTTP/1.1') +
    reply('HTTP/1.1 200 OK', 'Content-Length: 20', date) +
    'only this\n' +
    '* Closing connection 0\n' +
    request('GET /none HTTP/1.1') +
    '* Empty reply from server\ncurl: (52) Empty reply from server\n'
  expect(warnings(transcript)).toEqual([
    ['response: the body is not in the transcript'],
    ['response: the body has 9 of its 20 bytes'],
    ['no response', 'clock inferred'],
  ])
  expect(read(transcript).imported[2]?.exchange.failure).toEqual({
    code: 'CURL',
    message: 'curl: (52) Empty reply from server',
  })
})

test('a body beyond the limit is read up to it', { tags: ['slow'] }, () => {
  const limit = 64 * 1024 * 1024
  const line = 'x'.repeat(2 ** 20 - 1)
  const transcript =
    request('GET /large HTTP/1.1') +
    reply('HTTP/1.1 200 OK', `Content-Length: ${limit + 1}`) +
    `${line}\n`.repeat(65) +
    request('GET /next HTTP/1.1') +
    reply('HTTP/1.1 204 No Content')
  const { imported } = read(transcript)
  expect(imported.map(({ exchange }) => exchange.reply?.status)).toEqual([200, 204])
  expect(imported[0]?.exchange.reply?.body?.length).toBeGreaterThan(limit - line.length)
  expect(imported[0]?.warn?.[0]).toMatch(/^response: the body has \d+ of its 67108865 bytes$/)
})

test('--trace-time with the date of a reply gives the instant, whatever the zone, across midnight too', () => {
  const transcript =
    `23:59:59.900000 ${request('GET /1 HTTP/1.1').trimEnd().replaceAll('\n>', '\n23:59:59.900000 >')}\n` +
    `23:59:59.950500 < HTTP/1.1 204 No Content\n23:59:59.950500 < Date: Sun, 22 Nov 2026 04:59:59 GMT\n23:59:59.950500 < \n` +
    `00:00:00.100000 [0-0] > GET /2 HTTP/1.1\n00:00:00.100000 [0-0] > Host: h.example\n00:00:00.100000 [0-0] > \n` +
    `00:00:00.350000 [0-0] < HTTP/1.1 204 No Content\n00:00:00.350000 [0-0] < \n`
  const { imported } = read(transcript)
  expect(imported.map(({ exchange, warn }) => [exchange.startedAt, exchange.tookMs, warn])).toEqual(
    [
      [Date.UTC(2026, 10, 22, 4, 59, 59, 900), 50.5, undefined],
      [Date.UTC(2026, 10, 22, 5, 0, 0, 100), 250, undefined],
    ],
  )
})

test('without any date the clock is inferred, in order', () => {
  const { imported } = read(
    [1, 2].map((n) => request(`GET /${n} HTTP/1.1`) + reply('HTTP/1.1 204 No Content')).join(''),
  )
  expect(imported.map(({ exchange }) => exchange.startedAt)).toEqual([now, now + 1])
  expect(imported[0]?.warn).toEqual(['clock inferred'])
})

const sentBody = '{"reason":"ç",\n"b":1.5}'

/** One exchange as blocks. */
const traced = (style: 'ascii' | 'hex', body: string | Uint8Array, ...headers: readonly string[]) =>
  [
    '== Info:   Trying 1.2.3.4:80...\n',
    traceBlock(
      '=> Send header',
      `POST /v2/orders HTTP/1.1\r\nHost: h.example\r\nContent-Length: ${Buffer.byteLength(sentBody)}\r\n\r\n`,
      style,
    ),
    traceBlock('=> Send data', sentBody, style),
    ...['HTTP/1.1 200 OK', `X-Long: ${'x'.repeat(100)}`, date, ...headers, ''].map((line) =>
      traceBlock('<= Recv header', `${line}\r\n`, style),
    ),
    traceBlock('<= Recv data', body, style),
    '== Info: Connection #0 to host h.example left intact\n',
  ].join('')

test('--trace: bytes are exact, chunks are joined, compressed bodies are decoded', () => {
  const chunked = traced('hex', '5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n', 'Transfer-Encoding: chunked')
  expect(read(chunked).imported[0]).toMatchObject({
    exchange: {
      startedAt: dateMs,
      request: { body: sentBody },
      reply: { body: '{"a":1}' },
    },
  })
  const joined = traced('hex', '{"a":1}', 'Transfer-Encoding: chunked')
  const packed = traced('hex', gzipSync('{"a":1}'), 'Content-Encoding: gzip')
  expect([...summary(joined), ...summary(packed)].map((each) => each.slice(-7))).toEqual([
    '{"a":1}',
    '{"a":1}',
  ])
})

test('--trace-ascii: line ends of headers are exact; those of a JSON body are restored, letters are dots', () => {
  const { imported } = read(traced('ascii', '{\n "id": "ç",\n "of": 1.5\n}\n'))
  expect(imported[0]?.exchange.reply).toEqual({
    status: 200,
    headers: [
      ['X-Long', 'x'.repeat(100)],
      ['Date', date.slice(6)],
    ],
    body: '{\n "id": "..",\n "of": 1.5\n}\n',
  })
  const remark = 'line ends and letters beyond ASCII may be dots, as --trace-ascii has them'
  expect(imported[0]?.warn?.slice(-1)).toEqual([`response: ${remark}`])
  expect(warnings(traced('ascii', 'abc', 'Content-Encoding: gzip'))[0]).toContain(
    'response: a compressed body cannot be read from --trace-ascii',
  )
})

test('blocks of TLS are skipped, and make the scheme https', () => {
  const transcript = traceBlock('=> Send SSL data', '\u0016\u0003', 'ascii') + traced('ascii', 'ok')
  expect(summary(transcript.replace(/== Info: {3}Trying.*\n/, ''))).toEqual([
    'POST https://h.example/v2/orders 200 ok',
  ])
})

test('the tunnel to a proxy is left out and named; without any request that is said', () => {
  expect(read('> CONNECT h.example:443 HTTP/1.1\n> \n* Proxy CONNECT aborted\n')).toEqual({
    imported: [],
    problems: [
      { where: 'the transcript', message: 'the CONNECT to a proxy was left out' },
      {
        where: 'the transcript',
        message: 'it has no request: no line such as > GET /path HTTP/1.1',
      },
    ],
  })
  expect(read('*   Trying 1.2.3.4:80...\ncurl: (7) Failed to connect\n').problems[0]).toEqual({
    where: 'the transcript',
    message: 'no request was sent: curl: (7) Failed to connect',
  })
})

test('a transcript is detected, also behind the command that made it', () => {
  const sure = (text: string) => curlTraceFormat.recognises?.(Buffer.from(text), 'x') ?? 0
  const verbose = request('GET / HTTP/1.1') + reply('HTTP/1.1 204 No Content')
  expect(sure(verbose.replaceAll('\n', '\r\n'))).toBe(0.95)
  expect(sure(`$ curl -v h.example\n${verbose}`)).toBe(0.95)
  expect(sure('12:00:00.123456 == Info: Trying\n')).toBe(0.95)
  expect(sure('*   Trying 1.2.3.4:80...\n')).toBe(0.5)
  expect(sure('curl -v h.example\n')).toBe(0)
  expect(curlFormat.recognises?.(Buffer.from(verbose), 'x')).toBe(0)
})
