/** Importers must not depend on chunk boundaries. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { toBytes, importInPieces } from '../../../test/support/run-import.ts'
import { joinFlows, flowBytes } from '../../../test/support/mitmproxy-dump.ts'
import { curlFormat } from './curl.ts'
import { goreplayFormat } from './goreplay.ts'
import { logsFormat } from './logs.ts'
import { mitmproxyFormat } from './mitmproxy.ts'
import { postmanFormat } from './postman.ts'

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
