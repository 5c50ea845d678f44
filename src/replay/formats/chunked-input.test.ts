/** Importers must not depend on chunk boundaries, and must survive files that were damaged. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { importBytes } from '../../../test/support/round-trip.ts'
import { toBytes, importInPieces } from '../../../test/support/run-import.ts'
import { joinFlows, flowBytes } from '../../../test/support/mitmproxy-dump.ts'
import { createRecordingReader } from '../../core/traffic/recording/reader.ts'
import { formats } from './catalogue.ts'
import { curlTraceFormat } from './curl-trace.ts'
import { curlFormat } from './curl.ts'
import { goreplayFormat } from './goreplay.ts'
import { logsFormat } from './logs.ts'
import { mitmproxyFormat } from './mitmproxy.ts'
import { postmanFormat } from './postman.ts'
import { vcrFormat } from './vcr.ts'

const monkeys = '\n🐵🙈🙉\n'
const samples = [
  [
    curlFormat,
    `curl 'https://h.example/é' \\\n -d '{"a":"🍕"}'\r\ncurl h.example/2 | jq\ncurl "open`,
  ],
  [
    logsFormat,
    `\uFEFF{"request_method":"GET","request_uri":"/é","status":200,"msec":1795176000.5,"host":"h"}\r\nnonsense ✂\n` +
      '{"request_method":"GET","request_uri":"/2","status":500,"msec":1795176000.1,"host":"h"}',
  ],
  [
    mitmproxyFormat,
    joinFlows(flowBytes({}), flowBytes({ version: 3 }), flowBytes({}), Buffer.from('77:half')),
  ],
  [
    postmanFormat,
    JSON.stringify({
      info: {},
      item: [{ request: 'https://h/é' }, { request: 'https://h/2', response: [{ code: 200 }] }],
    }).slice(0, -2),
  ],
  [
    goreplayFormat,
    `1 a 1795176000000000000\nGET /é🐵 HTTP/1.1\r\nHost: h\r\n\r\n${monkeys}2 a 1795176000010000000 5\nHTTP/1.1 200 OK\r\n\r\n🐵🙈🙉 no${monkeys}x${monkeys}1 b 17`,
  ],
  [
    vcrFormat,
    `\uFEFF\n---\r\nhttp_interactions:\r\n- request: {method: get, uri: 'http://h/é'}\r\n- what\r\n- request: {uri: 'x`,
  ],
  [
    curlTraceFormat,
    '$ curl h\r\ncurl: (7) no\n> CONNECT x:1 HTTP/1.1\n> \n\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0' +
      '> GET /é HTTP/1.1\n> Host: h\n>\n< HTTP/1.1 200 OK\n< Content-Length: 7\n< \n"é"\n1\n* Closing connection 0\n> GET /2 HTTP/1.1\n>\n< HTTP/2 200\n<\n{}* Closing',
  ],
  [vcrFormat, `\n {"interactions": [{"request": {"method": "get", "uri": "http://h/é"}}, 7`],
] as const

test.each(samples.map(([format, sample]) => [format.name, format, toBytes(sample)] as const))(
  '%s: the result does not depend on how the file is chunked',
  (_, format, bytes) => {
    const options = { now: 1 }
    const whole = importInPieces(format, bytes, options)
    expect(whole.imported.length).toBeGreaterThan(0)
    expect(whole.problems.length).toBeGreaterThan(0)
    const everywhere = Array.from(bytes, (__, index) => index)
    expect(importInPieces(format, bytes, options, everywhere)).toEqual(whole)
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (ends) => {
        expect(importInPieces(format, bytes, options, ends)).toEqual(whole)
      }),
    )
  },
)

const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 })

test.each(samples.map(([format, sample]) => [format.name, format, toBytes(sample)] as const))(
  '%s: of a damaged file what is readable becomes a valid recording',
  (_, format, bytes) => {
    fc.assert(
      fc.property(damage, fc.nat(bytes.length), (changes, cut) => {
        const damaged = Uint8Array.from(bytes)
        for (const [at, byte] of changes) damaged[at % bytes.length] = byte
        const { recording, summary } = importBytes(format, damaged.subarray(cut), { redact: true })
        expect(recording === '').toBe(summary.exchanges === 0)
        if (recording === '') return
        const reader = createRecordingReader()
        reader.feed(recording)
        expect(reader.finish().summary.problems).toEqual([])
      }),
      { numRuns: 60 },
    )
  },
)

test('every format that can be imported has a sample here, but those with tests of their own', () => {
  const own = new Set(['har', 'recording'])
  const tested = new Set<string>([...own, ...samples.map(([{ name }]) => name)])
  expect(
    formats.filter(({ importer, name }) => importer && !tested.has(name)).map(({ name }) => name),
  ).toEqual([])
})
