/**
 * Writes synthetic recordings of any size: exchanges of a busy session, about 2.5 kB each. Every body occurs three
 * times, like an order that is read repeatedly before it changes.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import {
  createExchangeFormatter,
  createHeaderLine,
  formatLine,
} from '../src/core/traffic/recording/recording-lines.ts'
import { createSalt } from '../src/core/traffic/recording/line-ids.ts'
import type { Exchange } from '../src/core/traffic/exchange.ts'

/** Wall clock of the first exchange, in Unix milliseconds. */
export const benchT0 = 1_795_176_000_000

const operations = [
  'getOrder',
  'confirmOrder',
  'getOrder',
  'pollingEvents',
  'acknowledgeEvents',
] as const

const items = Array.from({ length: 8 }, (_, index) => ({
  id: `item-${index}`,
  name: 'Pizza Margherita grande',
  externalCode: `sku-${(index * 7919) % 1000}`,
  quantity: index + 1,
  unitPrice: { value: 12.5 * (index + 1), currency: 'BRL' },
}))

/** Every tenth exchange begins a new order; exchanges are one millisecond apart. */
export function benchExchange(seq: number): Exchange {
  const orderId = `7c9e6679-7425-40de-944b-${Math.floor(seq / 10)
    .toString(16)
    .padStart(12, '0')}`
  return {
    seq,
    startedAt: benchT0 + seq,
    tookMs: 1.5,
    from: { role: 'software-service', party: 'subject' },
    to: { role: 'ordering-application', party: 'sparring' },
    operation: operations[seq % operations.length] ?? 'getOrder',
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
      status: seq % 97 === 0 ? 404 : 200,
      headers: [['content-type', 'application/json']],
      body: JSON.stringify({
        id: orderId,
        note: `n${Math.floor(seq / 3)}`,
        customer: {
          name: 'Ana Souza',
          id: `c-${Math.floor(seq / 10)}`,
          phone: '+55 11 91234-5678',
        },
        items,
      }),
    },
  }
}

/** Writes `count` exchanges; returns the number of bytes. */
export function writeBenchRecording(file: string, count: number): number {
  const header = createHeaderLine({
    salt: createSalt([1, 2, 3]),
    t0: benchT0,
    info: {
      name: 'bench',
      tool: 'sparring/bench',
      protocol: { name: 'protocol', version: 'v2' },
      parties: [],
      redaction: { policy: 'none', keyId: null, mode: 'none' },
    },
  })
  const line = createExchangeFormatter({ header, t0: benchT0 })
  const fd = openSync(file, 'w')
  let bytes = writeSync(fd, formatLine(header))
  let buffered = ''
  for (let seq = 1; seq <= count; seq++) {
    buffered += line(benchExchange(seq))
    if (buffered.length < 1024 * 1024 && seq < count) continue
    bytes += writeSync(fd, buffered)
    buffered = ''
  }
  closeSync(fd)
  return bytes
}
