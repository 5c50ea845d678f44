/** Writes an HTTP archive (HAR) of GET requests for orders, entry by entry. */
import { closeSync, openSync, writeSync } from 'node:fs'

const startedAt = 1_790_000_000_000

export interface ArchivedEntry {
  readonly orderId: string
  readonly cookies?: Readonly<Record<string, string>>
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseHeaders: Readonly<Record<string, string>>
  /** The JSON body of the response. */
  readonly text: string
}

const pairs = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value }))

/** The time at which a request began. */
export const archivedAt = (index: number): Date => new Date(startedAt + index * 20)

const entryJson = (
  index: number,
  { orderId, cookies = {}, requestHeaders, responseHeaders, text }: ArchivedEntry,
): string =>
  JSON.stringify({
    startedDateTime: archivedAt(index).toISOString(),
    time: 12.5,
    request: {
      method: 'GET',
      url: `https://partner.example/v2/orders/${orderId}`,
      httpVersion: 'HTTP/1.1',
      cookies: pairs(cookies),
      headers: pairs(requestHeaders),
      queryString: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(responseHeaders),
      content: { size: text.length, mimeType: 'application/json', text },
      redirectURL: '',
      headersSize: -1,
      bodySize: text.length,
    },
    cache: {},
    timings: { send: 0, wait: 12.5, receive: 0 },
  })

export const archivedOrderId = (index: number): string =>
  `0a1b2c3d-0000-4000-8000-${String(index).padStart(12, '0')}`

/** Returns the number of bytes. */
export function writeHarArchive(
  file: string,
  count: number,
  entryOf: (index: number) => ArchivedEntry,
): number {
  const fd = openSync(file, 'w')
  let bytes = writeSync(fd, '{"log":{"version":"1.2","creator":{"name":"bench"},"entries":[\n')
  for (let index = 0; index < count; index++)
    bytes += writeSync(fd, (index === 0 ? '' : ',\n') + entryJson(index, entryOf(index)))
  bytes += writeSync(fd, '\n]}}\n')
  closeSync(fd)
  return bytes
}
