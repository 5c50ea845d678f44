/** Sample exchanges: calls of a Software Service to an Ordering Application; and the header of a recording of them. */
import type { Exchange } from '../../src/core/traffic/exchange.ts'
import { createSalt } from '../../src/core/traffic/recording/line-ids.ts'
import {
  createHeaderLine,
  type RecordingInfo,
} from '../../src/core/traffic/recording/recording-lines.ts'

export const sampleT0 = 1_795_176_000_000

export const sampleInfo: Omit<RecordingInfo, 'redaction'> = {
  name: 'lunch',
  tool: 'sparring/0.1.0',
  protocol: { name: 'protocol', version: 'v2' },
  parties: [],
}

/** Of an unredacted recording, unless `more` says otherwise. */
export const sampleHeader = (more: Partial<RecordingInfo> = {}, salt = createSalt([1])) =>
  createHeaderLine({
    info: {
      ...sampleInfo,
      redaction: { policy: 'none', keyId: null, mode: 'none' },
      ...more,
    },
    t0: sampleT0,
    salt,
  })

export function sampleExchange(seq: number, change: Partial<Exchange> = {}): Exchange {
  const orderId = `order-${seq}`
  return {
    seq,
    startedAt: sampleT0 + seq * 10.25,
    tookMs: 1.5,
    from: { role: 'software-service', party: 'subject' },
    to: { role: 'ordering-application', party: 'sparring' },
    operation: 'getOrder',
    params: { orderId },
    orderId,
    request: {
      method: 'GET',
      url: `http://127.0.0.1:7101/v2/orders/${orderId}`,
      headers: [
        ['Host', '127.0.0.1:7101'],
        ['Authorization', 'Bearer a-token-of-the-subject'],
        ['X-Request-Id', `request-${seq}`],
      ],
    },
    reply: {
      status: 200,
      headers: [
        ['content-type', 'application/json'],
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
      ],
      body: JSON.stringify({ id: orderId, customer: { name: 'Ana Souza', id: `c-${seq}` } }),
    },
    ...change,
  }
}
